import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { Member } from '@tollgate/contracts/accounts/account';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';

/** Lists all members of the team, at most a few hundred. Throws AdminProblem. */
export async function listMembers(admin: AdminClient): Promise<Member[]> {
  const { data } = await admin.call(ADMIN_ROUTES.listMembers, {});
  return data;
}

export function byName(one: Member, other: Member): number {
  return one.name.localeCompare(other.name, 'en');
}

/** A team always has an owner: the last one can be neither demoted nor removed. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
}
