import { timingSafeEqual } from 'node:crypto';
import type { reportLeakedToken as contract } from '@tollgate/contracts/accounts/rpc';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { tokenEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiToken, leaked, storedDigest } from './api-token.ts';
import { revokeCreatedTokens } from './revoke-token.ts';

/**
 * Records that a secret scanner found a token, and revokes it with the tokens that it created: a token reaches everything of a team, so no
 * policy keeps a leaked one valid. A repeated report completes what an interrupted one left. Returns false if no token has this lookup id
 * and secret.
 */
export async function reportLeakedToken(
  context: Context,
  { lookup_id, digest, ...found }: Static<typeof contract.request>,
): Promise<boolean> {
  const token = await context.tokens.findByLookupId(lookup_id);
  if (!token || !secretMatches(token, digest)) return false;
  const { _id, team_id } = token;
  const after = await changeAudited(
    context,
    context.tokens,
    { _id, team_id },
    (before, now) => leaked(before, found, now),
    tokenEntry('token.leaked', SYSTEM_AUTHOR, context.clock),
  );
  await revokeCreatedTokens(context, SYSTEM_AUTHOR, after);
  return true;
}

/** The lookup id is public. Without this proof, anyone who knows one could have the token revoked. */
function secretMatches(token: ApiToken, digest: string): boolean {
  const expected = Buffer.from(token.digest, 'hex');
  const given = Buffer.from(storedDigest(digest, token.acts_for), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
