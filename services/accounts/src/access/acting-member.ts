import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { roleIn, type Team } from '../teams/team.ts';

/** The acting member as stored now: an actor token may be a minute old, and its member removed or demoted since. */
export interface ActingMember {
  member: Member;
  team: Team;
  role: Role;
}

/** Throws `forbidden` when the actor is no longer in the team. */
export async function findActingMember(context: Context, actor: MemberActor): Promise<ActingMember> {
  const [team, member] = await Promise.all([
    context.teams.find(actor.team_id),
    context.members.find(actor.team_id, actor.member_id),
  ]);
  const role = team && roleIn(team, actor.member_id);
  if (!team || !member || !role) throw notInTeam();
  return { member, team, role };
}

export function notInTeam(): Problem {
  return new Problem('forbidden', 'You are no longer a member of the team.');
}
