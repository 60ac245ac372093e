import type { MemberActor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import type { ApiToken } from './api-token.ts';

/** The team's token. Throws `forbidden`, and `not-found`, also for a token of another team. */
export async function findToken(
  context: Context,
  actor: MemberActor,
  { tokenId, action }: { tokenId: string; action: string },
): Promise<ApiToken> {
  const { team } = await findActingMember(context, actor);
  const token = await context.tokens.find(team.id, tokenId);
  if (!token) throw new Problem('not-found', `Your team has no API token ${tokenId}.`);
  requireRole(team, actor, 'admin', action);
  return token;
}

/** The team's tokens, newest first, including revoked and expired ones. Throws `forbidden`. */
export async function listTokens(
  context: Context,
  actor: MemberActor,
  request: PageRequest,
): Promise<Page<ApiToken>> {
  const { team } = await findActingMember(context, actor);
  requireRole(team, actor, 'admin', 'read API tokens');
  return context.tokens.list(team.id, request);
}
