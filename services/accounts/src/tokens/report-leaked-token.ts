import { timingSafeEqual } from 'node:crypto';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import type { Context } from '../context.ts';
import { type ApiToken, leaked } from './api-token.ts';
import { changeToken } from './change-token.ts';
import { revokeCreatedTokens } from './revoke-created-tokens.ts';
import { storedDigest } from './stored-digest.ts';

export interface LeakedTokenReport {
  lookupId: string;
  /** SHA-256 of the whole credential, hex. */
  digest: string;
  url: string | null;
  source: string | null;
}

/**
 * Records that a secret scanner found a token, and revokes it with the tokens that it created: a token reaches everything of a team, so no
 * policy keeps a leaked one valid. A repeated report completes what an interrupted one left. Returns false if no token has this lookup id
 * and secret.
 */
export async function reportLeakedToken(
  context: Context,
  { lookupId, digest, url, source }: LeakedTokenReport,
): Promise<boolean> {
  const token = await changeToken(context, 'token.leaked', SYSTEM_AUTHOR, {
    async find() {
      const found = await context.tokens.findByLookupId(lookupId);
      return found && secretMatches(found, digest) ? found : null;
    },
    change: (before, now) => leaked(before, { url, source }, now),
  });
  if (token === null) return false;
  await revokeCreatedTokens(context, SYSTEM_AUTHOR, token);
  return true;
}

/** The lookup id is public. Without this proof, anyone who knows one could have the token revoked. */
function secretMatches(token: ApiToken, digest: string): boolean {
  const expected = Buffer.from(token.digest, 'hex');
  const given = Buffer.from(storedDigest(digest, token.actsFor), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
