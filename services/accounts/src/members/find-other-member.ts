import { recordNotFound } from '@tollgate/store/audited-records';
import type { Context } from '../context.ts';
import { roleIn, type Team } from '../teams/team.ts';
import type { Member } from './member.ts';

/** A member of this team. Throws `not-found`, also for a member of another team and for a removed member. */
export async function findOtherMember(context: Context, team: Team, memberId: string): Promise<Member> {
  const member = roleIn(team, memberId) && (await context.members.find(team._id, memberId));
  if (!member) throw recordNotFound(context.members, memberId);
  return member;
}
