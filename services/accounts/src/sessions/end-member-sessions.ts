import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { findOtherMember } from '../members/find-other-member.ts';
import { roleIn } from '../teams/team.ts';
import { endSessions } from './end-sessions.ts';

/** Ends all sessions of a member of the team. Throws `forbidden`, `not-found`. */
export async function endMemberSessions(
  context: Context,
  actor: MemberActor,
  memberId: string,
): Promise<void> {
  const { team } = await findActingMember(context, actor);
  await findOtherMember(context, team, memberId);
  // Otherwise an admin could keep the owners out.
  if (roleIn(team, memberId) === 'owner') requireRole(team, actor, 'owner', 'end the sessions of an owner');
  else requireRole(team, actor, 'admin', 'end the sessions of members');
  await endSessions(context, { teamId: team._id, memberId }, actorAuthor(actor));
}
