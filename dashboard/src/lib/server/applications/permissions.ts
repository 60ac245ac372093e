import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Role } from '@tollgate/contracts/platform/roles';
import { allows } from '#lib/server/access.ts';

/** What a member may do with an application: pages hide the other buttons. The services enforce the permissions. */
export function applicationPermissions(
  role: Role,
  { environment, hasLiveKeys }: { environment: Environment; hasLiveKeys: boolean },
) {
  const affected = hasLiveKeys ? 'live' : 'sandbox';
  return {
    rename: allows(ADMIN_ROUTES.renameApplication, role, affected),
    changeLabels: allows(ADMIN_ROUTES.setLabels, role, affected),
    /** Set scopes, archive, restore, delete: these also affect the application's live keys. */
    changeAccess: allows(ADMIN_ROUTES.setScopes, role, affected),
    changeLimits: allows(ADMIN_ROUTES.setLimits, role, affected),
    /** Set whether creating a payment requires an idempotency key, by environment. */
    changeKeyRequirement: {
      live: allows(ADMIN_ROUTES.setIdempotencyKeyRequirement, role),
      sandbox: allows(ADMIN_ROUTES.setIdempotencyKeyRequirement, role, 'sandbox'),
    },
    /** Create, edit, rotate, and revoke keys of the current environment. */
    changeKeys: allows(ADMIN_ROUTES.createKey, role, environment),
  };
}
