import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { listTokens as listContract } from '@tollgate/contracts/accounts/rpc';
import { mayRead } from '@tollgate/contracts/platform/roles';
import { recordNotFound } from '@tollgate/store/audited-records';
import { type Page, parsePageRequest } from '@tollgate/store/keyset-page';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole, requireRoleToRead } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import type { Team } from '../teams/team.ts';
import type { ApiToken } from './api-token.ts';

/** The team's token. Throws `forbidden`, and `not-found`, also for a token of another team. */
export async function findToken(context: Context, actor: MemberActor, tokenId: string): Promise<ApiToken> {
  const { team } = await findActingMember(context, actor);
  const token = await findTokenOfTeam(context, team._id, tokenId);
  if (token.acts_for !== actor.member_id) requireRoleToRead(team, actor, 'admin', 'read API tokens');
  return token;
}

export async function findTokenOfTeam(
  { tokens }: Context,
  teamId: string,
  tokenId: string,
): Promise<ApiToken> {
  const token = await tokens.find(teamId, tokenId);
  if (!token) throw recordNotFound(tokens, tokenId);
  return token;
}

/** Without the admin role, a member may only act on the tokens of their own logins. Throws `forbidden`. */
export function requireOwnLoginOrAdmin(
  team: Team,
  actor: MemberActor,
  { acts_for }: ApiToken,
  action: string,
): void {
  if (acts_for !== actor.member_id) requireRole(team, actor, 'admin', action);
}

/**
 * The team's tokens, newest first, including revoked and expired ones. Without a role that may read them, only those of the
 * member's own logins. Throws `forbidden`.
 */
export async function listTokens(
  context: Context,
  actor: MemberActor,
  request: Static<typeof listContract.request>,
): Promise<Page<ApiToken>> {
  const { team, role } = await findActingMember(context, actor);
  const { acts_for } = request;
  const own = { acts_for: actor.member_id };
  if (acts_for !== undefined && acts_for !== actor.member_id)
    requireRoleToRead(team, actor, 'admin', 'read the logins of other members');
  const requested = acts_for === undefined ? {} : { acts_for };
  const ofMember = mayRead(role, 'admin') ? requested : own;
  return context.tokens.list(team._id, parsePageRequest(request), ofMember);
}
