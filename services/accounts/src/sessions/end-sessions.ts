import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { endMemberSessions as contract } from '@tollgate/contracts/accounts/rpc';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { findOtherMember } from '../members/find-other-member.ts';
import { changedMember } from '../members/member.ts';
import { roleIn } from '../teams/team.ts';

/** Ends all sessions of a member of the team. Throws `forbidden`, `not-found`. */
export async function endMemberSessions(
  context: Context,
  actor: MemberActor,
  { member_id }: Static<typeof contract.request>,
): Promise<void> {
  const { team } = await findActingMember(context, actor);
  await findOtherMember(context, team, member_id);
  // Otherwise an admin could keep the owners out.
  if (roleIn(team, member_id) === 'owner') requireRole(team, actor, 'owner', 'end the sessions of an owner');
  else requireRole(team, actor, 'admin', 'end the sessions of members');
  await endSessions(context, actor, member_id);
}

/** Ends all of the member's own sessions, including the caller's. Throws `forbidden`. */
export async function revokeAllSessions(context: Context, actor: MemberActor): Promise<void> {
  await findActingMember(context, actor);
  await endSessions(context, actor, actor.member_id);
}

/** Ends all sessions of a member, their logins of programs, and their pending approvals in one write. */
async function endSessions(context: Context, actor: MemberActor, member_id: string): Promise<void> {
  await changeAudited(
    context,
    context.members,
    { _id: member_id, team_id: actor.team_id },
    (before, now) => changedMember(before, { session_epoch: before.session_epoch + 1 }, now),
    memberEntry('member.sessions_revoked', actorAuthor(actor)),
  );
}
