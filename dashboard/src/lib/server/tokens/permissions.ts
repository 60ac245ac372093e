import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { mayRead, type Role } from '@tollgate/contracts/platform/roles';

/** Whether a member may read all API tokens of the team. The accounts service enforces it. */
export function mayReadTokens(role: Role): boolean {
  return mayRead(role, 'admin');
}

/** Whether a member may create and revoke API tokens. The accounts service enforces it. */
export function mayManageTokens(role: Role): boolean {
  return roleAllows(ADMIN_ROUTES.createToken.access, role, 'live');
}
