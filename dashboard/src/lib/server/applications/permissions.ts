import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';

/** What a member may do with an application: pages hide the other buttons. The services enforce the permissions. */
export interface ApplicationPermissions {
  rename: boolean;
  changeLabels: boolean;
  /** Set scopes, archive, restore, delete: these also affect the application's live keys. */
  changeAccess: boolean;
  changeLimits: boolean;
  /** Set whether creating a payment requires an idempotency key, by environment. */
  changeKeyRequirement: Record<Environment, boolean>;
  /** Create, edit, rotate, and revoke keys of the current environment. */
  changeKeys: boolean;
}

export function mayCreateApplications(role: Role): boolean {
  return roleAllows(ADMIN_ROUTES.createApplication.access, role, 'sandbox');
}

export function applicationPermissions(
  role: Role,
  { environment, hasLiveKeys }: { environment: Environment; hasLiveKeys: boolean },
): ApplicationPermissions {
  const affected = hasLiveKeys ? 'live' : 'sandbox';
  return {
    rename: roleAllows(ADMIN_ROUTES.renameApplication.access, role, affected),
    changeLabels: roleAllows(ADMIN_ROUTES.setLabels.access, role, affected),
    changeAccess: roleAllows(ADMIN_ROUTES.setScopes.access, role, affected),
    changeLimits: roleAllows(ADMIN_ROUTES.setLimits.access, role, affected),
    changeKeyRequirement: {
      live: roleAllows(ADMIN_ROUTES.setIdempotencyKeyRequirement.access, role, 'live'),
      sandbox: roleAllows(ADMIN_ROUTES.setIdempotencyKeyRequirement.access, role, 'sandbox'),
    },
    changeKeys: roleAllows(ADMIN_ROUTES.createKey.access, role, environment),
  };
}
