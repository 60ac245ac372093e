import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';

/** Whether a member may list, create, and revoke API tokens. The accounts service enforces it. */
export function mayManageTokens(role: Role): boolean {
  return roleAllows(ADMIN_ROUTES.createToken.access, role, 'live');
}
