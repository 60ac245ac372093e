import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';

/**
 * Whether a member may change endpoints of this environment, read their secrets and trigger deliveries. The service
 * enforces the permission.
 */
export function mayManageEndpoints(role: Role, environment: Environment): boolean {
  return roleAllows(ADMIN_ROUTES.createEndpoint.access, role, environment);
}
