import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change endpoints and deliveries of this environment. `action` completes "You cannot …". */
export function requireRoleFor(actor: Actor, environment: Environment, action: string): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `${action} in ${environment}`);
  requireEnvironment(actor, environment);
}
