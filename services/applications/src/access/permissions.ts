import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { requireRole } from '@tollgate/security/require-role';

/** Keys of the sandbox are a developer's; whatever affects live needs an admin. */
export function requireRoleForKeys(actor: Actor, environment: Environment): void {
  requireRole(actor, environment === 'live' ? 'admin' : 'developer', `change ${environment} keys`);
}
