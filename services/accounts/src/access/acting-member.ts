import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { roleIn, type Team } from '../teams/team.ts';

/** An account with its team, of which it is a member now. */
export interface ActingMember extends MemberInTeam {
  team: Team;
}

/**
 * The acting member as stored now: an actor token may be a minute old, and its member removed or demoted since. Throws `forbidden`
 * when the actor is no longer in the team.
 */
export async function findActingMember(context: Context, actor: MemberActor): Promise<ActingMember> {
  const [team, member] = await Promise.all([
    context.teams.find(actor.team_id),
    context.members.find(actor.team_id, actor.member_id),
  ]);
  const role = team && roleIn(team, actor.member_id);
  if (!team || !member || !role) throw notInTeam();
  return { member, team, role };
}

/** Null when the member has left the team. */
export async function inTeam({ teams }: Context, member: Member): Promise<ActingMember | null> {
  const team = await teams.find(member.team_id);
  const role = team && roleIn(team, member._id);
  return role && { member, team, role };
}

/** Matches the account of the actor. */
export function ownAccount({ member_id, team_id }: MemberActor) {
  return { _id: member_id, team_id };
}

export function notInTeam(): Problem {
  return new Problem('forbidden', 'You are no longer a member of the team.');
}
