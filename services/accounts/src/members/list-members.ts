import type { Actor } from '@tollgate/contracts/accounts/actor';
import { findActingTeam } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import { roleIn } from '../teams/team.ts';
import type { MemberInTeam } from './member-in-team.ts';

/** The team's members, oldest account first. Every member may read. Throws `forbidden`. */
export async function listMembers(context: Context, actor: Actor): Promise<MemberInTeam[]> {
  const team = await findActingTeam(context, actor);
  const ids = team.memberships.map(({ memberId }) => memberId);
  const members = await context.members.listOfTeam(team.id, ids);
  return members.flatMap((member) => {
    const role = roleIn(team, member.id);
    return role ? [{ member, role }] : [];
  });
}
