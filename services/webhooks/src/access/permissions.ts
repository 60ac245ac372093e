import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import type { Clock } from '@tollgate/runtime/clock';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change endpoints and deliveries of this environment. `action` completes "You cannot …". */
export function requireRoleFor(actor: Actor, environment: Environment, action: string): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `${action} in ${environment}`);
  requireEnvironment(actor, environment);
}

/** Throws `reauthentication-required` for a live endpoint: with its signing secret, anyone can forge events for the receiver. */
export function requireRecentAuthenticationForSecret(
  actor: Actor,
  environment: Environment,
  { clock }: { clock: Clock },
): void {
  if (environment === 'live') requireRecentAuthentication(actor, clock.now(), 'get a live signing secret');
}
