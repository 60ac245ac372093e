import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change keys of this environment. */
export function requireRoleForKeys(actor: Actor, environment: Environment): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `change ${environment} keys`);
}
