import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { roleIn, type Team } from '../teams/team.ts';
import type { Member } from './member.ts';

/** A member of this team. Throws `not-found`, also for a member of another team and for a removed member. */
export async function findOtherMember(context: Context, team: Team, memberId: string): Promise<Member> {
  const member = roleIn(team, memberId) && (await context.members.find(team._id, memberId));
  if (!member) throw memberNotFound(memberId);
  return member;
}

/** Also for a member of another team, so that callers cannot learn which members exist. */
export function memberNotFound(memberId: string): Problem {
  return new Problem('not-found', `Your team has no member ${memberId}.`);
}
