import type { AuditAuthor } from '@tollgate/store/audit-author';
import type { Context } from '../context.ts';
import { type ApiToken, revoked, statusOf } from './api-token.ts';
import { changeToken } from './change-token.ts';

/**
 * Revokes the active tokens that a revoked token created, and theirs: their credentials were returned to its holder. Repeats until
 * none is left, because each of them may create another one before it is revoked.
 */
export async function revokeCreatedTokens(
  context: Context,
  author: AuditAuthor,
  { teamId, id }: ApiToken,
): Promise<void> {
  const findActive = async () => {
    const now = new Date(context.clock.now());
    const created = descendantsOf(await context.tokens.listCreatedByTokens(teamId), id);
    return created.filter((token) => statusOf(token, now) === 'active');
  };
  for (let active = await findActive(); active.length > 0; active = await findActive()) {
    for (const token of active) {
      const find = () => context.tokens.find(teamId, token.id);
      await changeToken(context, 'token.revoked', author, { find, change: revoked });
    }
  }
}

/** Those of the tokens that lead back to the creator, also over one that has ended. */
function descendantsOf(tokens: ApiToken[], creatorId: string): ApiToken[] {
  const byCreator = Map.groupBy(tokens, ({ createdByToken }) => createdByToken);
  const found = [...(byCreator.get(creatorId) ?? [])];
  for (const { id } of found) found.push(...(byCreator.get(id) ?? []));
  return found;
}
