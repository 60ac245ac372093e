import { mayRead, type Role } from '@tollgate/contracts/platform/roles';

/** Whether a member may read all API tokens of the team. The accounts service enforces it. */
export function mayReadTokens(role: Role): boolean {
  return mayRead(role, 'admin');
}
