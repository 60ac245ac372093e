import type { Environment } from '@tollgate/contracts/platform/environment';
import { digestApiKey, generateApiKey } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import type { ApiKey, CredentialDigest } from './api-key.ts';

/** A key with its credential, which is returned once and stored nowhere; null in a replay. */
export interface KeyWithSecret {
  key: ApiKey;
  secret: string | null;
}

/** A new credential, and the part of it that may be stored. */
export function newCredential(
  environment: Environment,
  peppers: Keyring,
): { secret: string; kept: CredentialDigest } {
  const { credential, lookupId } = generateApiKey(environment);
  const { version, key } = peppers.current;
  const digest = digestApiKey(credential, key).toString('hex');
  return { secret: credential, kept: { lookupId, digest, pepperVersion: version } };
}
