import type { Role } from '@tollgate/contracts/platform/roles';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { roleIn } from '../teams/team.ts';

/** Null when the member has left the team. */
export async function currentRole(context: Context, member: Member): Promise<Role | null> {
  const team = await context.teams.find(member.teamId);
  return team && roleIn(team, member.id);
}
