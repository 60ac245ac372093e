import { Problem } from '@tollgate/contracts/platform/problem';
import type { KnownKey } from './principals.ts';

/** Why a key is not valid at this time; null if it is. */
export function keyRejection({ status, expiresAtMs }: KnownKey, nowMs: number): Problem | null {
  if (status === 'revoked') return invalidApiKey('This API key was revoked.');
  if (status !== 'active') return invalidApiKey('This API key is not active.');
  return expiresAtMs !== null && nowMs >= expiresAtMs ? invalidApiKey('This API key has expired.') : null;
}

export function invalidApiKey(detail: string): Problem {
  return new Problem('invalid-api-key', detail);
}
