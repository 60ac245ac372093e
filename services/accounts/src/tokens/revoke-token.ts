import type { Actor, MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import type { Context } from '../context.ts';
import { type ApiToken, revoked } from './api-token.ts';
import { changeToken } from './change-token.ts';
import { findToken } from './find-token.ts';
import { revokeCreatedTokens } from './revoke-created-tokens.ts';

/**
 * Revokes a token permanently, with the tokens that it created. Revoking again completes what an interrupted request left. Throws
 * `forbidden`, `not-found`.
 */
export function revokeToken(
  context: Context,
  actor: MemberActor,
  { tokenId }: { tokenId: string },
): Promise<ApiToken> {
  return revoke(context, actor, () => findToken(context, actor, { tokenId, action: 'revoke API tokens' }));
}

/** Revokes the token that the request authenticates with: its holder could use it for as long as it is valid. */
export function revokeOwnToken(context: Context, actor: TokenActor): Promise<ApiToken> {
  return revoke(context, actor, async () => {
    const token = await context.tokens.find(actor.team_id, actor.token_id);
    if (!token) throw new Problem('not-found', `Your team has no API token ${actor.token_id}.`);
    return token;
  });
}

async function revoke(context: Context, actor: Actor, find: () => Promise<ApiToken>): Promise<ApiToken> {
  const author = actorAuthor(actor);
  const token = await changeToken(context, 'token.revoked', author, { find, change: revoked });
  await revokeCreatedTokens(context, author, token);
  return token;
}
