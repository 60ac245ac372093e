import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { roleAtLeast } from '@tollgate/contracts/platform/roles';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import type { ApiToken } from './api-token.ts';

/**
 * The team's token. Without the admin role, only one of the member's own logins. Throws `forbidden`, and `not-found`, also
 * for a token of another team.
 */
export async function findToken(
  context: Context,
  actor: MemberActor,
  { tokenId, action }: { tokenId: string; action: string },
): Promise<ApiToken> {
  const { team } = await findActingMember(context, actor);
  const token = await context.tokens.find(team._id, tokenId);
  if (!token) throw new Problem('not-found', `Your team has no API token ${tokenId}.`);
  if (token.actsFor !== actor.member_id) requireRole(team, actor, 'admin', action);
  return token;
}

/**
 * The team's tokens, newest first, including revoked and expired ones. Without the admin role, only those of the member's
 * own logins. Throws `forbidden`.
 */
export async function listTokens(
  context: Context,
  actor: MemberActor,
  { page, actsFor }: { page: PageRequest; actsFor: string | undefined },
): Promise<Page<ApiToken>> {
  const { team, role } = await findActingMember(context, actor);
  if (actsFor === actor.member_id || roleAtLeast(role, 'admin'))
    return context.tokens.list(team._id, page, { actsFor });
  if (actsFor !== undefined) requireRole(team, actor, 'admin', 'read the logins of other members');
  return context.tokens.list(team._id, page, { actsFor: actor.member_id });
}
