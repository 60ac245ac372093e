import type { Environment } from '@tollgate/contracts/environment';
import { digestApiKey, generateApiKey } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import type { ApiKey, CredentialDigest } from './api-key.ts';

/** A key with its credential, which is returned once and exists nowhere else. */
export interface KeyWithSecret {
  key: ApiKey;
  secret: string;
}

/** A new credential, and what may be kept of it. */
export function newCredential(
  environment: Environment,
  peppers: Keyring,
): { secret: string; kept: CredentialDigest } {
  const { credential, lookupId } = generateApiKey(environment);
  const { version, key } = peppers.current;
  const digest = digestApiKey(credential, key).toString('hex');
  return { secret: credential, kept: { lookupId, digest, pepperVersion: version } };
}
