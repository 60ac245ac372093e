import type { Role } from '@tollgate/contracts/platform/roles';
import type { Context } from '../context.ts';
import { roleIn, type Team } from '../teams/team.ts';
import type { Member } from './member.ts';

/** An account with its team, of which it is a member now. */
export interface Account {
  member: Member;
  team: Team;
  role: Role;
}

/** The accounts with this normalized email, in all teams. */
export async function listAccounts(
  { members, teams }: Pick<Context, 'members' | 'teams'>,
  email: string,
): Promise<Account[]> {
  const accounts: Account[] = [];
  for (const member of await members.listByEmail(email)) {
    const team = await teams.find(member.teamId);
    const role = team && roleIn(team, member.id);
    if (team && role) accounts.push({ member, team, role });
  }
  return accounts;
}
