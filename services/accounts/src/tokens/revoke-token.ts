import type { Actor, MemberActor, TokenActor } from '@tollgate/contracts/accounts/actor';
import type { revokeToken as contract } from '@tollgate/contracts/accounts/rpc';
import { type AuditAuthor, actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { tokenEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type ApiToken, revoked, statusOf } from './api-token.ts';
import { requireOwnLoginOrAdmin } from './find-token.ts';

/**
 * Revokes a token permanently, with the tokens that it created. Revoking again completes what an interrupted request left. Throws
 * `forbidden`, `not-found`.
 */
export async function revokeToken(
  context: Context,
  actor: MemberActor,
  { token_id }: Static<typeof contract.request>,
): Promise<ApiToken> {
  const { team } = await findActingMember(context, actor);
  return revokeWithCreated(context, actor, token_id, (token) =>
    requireOwnLoginOrAdmin(team, actor, token, 'revoke API tokens'),
  );
}

/** Revokes the token that the request authenticates with: its holder could use it for as long as it is valid. */
export const revokeOwnToken = (context: Context, actor: TokenActor): Promise<ApiToken> =>
  revokeWithCreated(context, actor, actor.token_id);

async function revokeWithCreated(
  context: Context,
  actor: Actor,
  tokenId: string,
  requireAllowed?: (token: ApiToken) => void,
): Promise<ApiToken> {
  const author = actorAuthor(actor);
  const token = await revoke(context, author, { _id: tokenId, team_id: actor.team_id }, requireAllowed);
  await revokeCreatedTokens(context, author, token);
  return token;
}

function revoke(
  context: Context,
  author: AuditAuthor,
  { _id, team_id }: Pick<ApiToken, '_id' | 'team_id'>,
  requireAllowed: (token: ApiToken) => void = () => undefined,
): Promise<ApiToken> {
  return changeAudited(
    context,
    context.tokens,
    { _id, team_id },
    (before, now) => {
      requireAllowed(before);
      return revoked(before, now);
    },
    tokenEntry('token.revoked', author, context.clock),
  );
}

/**
 * Revokes the active tokens that a revoked token created, and theirs: their credentials were returned to its holder. Repeats until
 * none is left, because each of them may create another one before it is revoked.
 */
export async function revokeCreatedTokens(
  context: Context,
  author: AuditAuthor,
  { team_id, _id }: ApiToken,
): Promise<void> {
  const findActive = async () => {
    const now = new Date(context.clock.now());
    const created = descendantsOf(await context.tokens.listCreatedByTokens(team_id), _id);
    return created.filter((token) => statusOf(token, now) === 'active');
  };
  for (let active = await findActive(); active.length > 0; active = await findActive())
    for (const token of active) await revoke(context, author, token);
}

/** Those of the tokens that lead back to the creator, also over one that has ended. */
function descendantsOf(tokens: ApiToken[], creatorId: string): ApiToken[] {
  const byCreator = Map.groupBy(tokens, ({ created_by_token }) => created_by_token);
  const found = [...(byCreator.get(creatorId) ?? [])];
  for (const { _id } of found) found.push(...(byCreator.get(_id) ?? []));
  return found;
}
