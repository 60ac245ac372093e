import type { Environment } from '@tollgate/contracts/platform/environment';
import { digestApiKey, generateApiKey } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import type { Context } from '../context.ts';
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
  return { secret: credential, kept: { lookup_id: lookupId, digest, pepper_version: version } };
}

/** The team's key for a repeated request; null if it does not exist. */
export async function findWithoutSecret(
  { apiKeys }: Pick<Context, 'apiKeys'>,
  teamId: string,
  keyId: string,
): Promise<KeyWithSecret | null> {
  const key = await apiKeys.find(teamId, keyId);
  return key && { key, secret: null };
}
