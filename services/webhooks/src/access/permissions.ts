import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { ROLE_BY_ENVIRONMENT, roleAtLeast } from '@tollgate/contracts/platform/roles';
import type { Clock } from '@tollgate/runtime/clock';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change endpoints and deliveries of this environment. `action` completes "You cannot …". */
export function requireRoleFor(actor: Actor, environment: Environment, action: string): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `${action} in ${environment}`);
  requireEnvironment(actor, environment);
}

/**
 * Returns true if the actor may change endpoints of this environment. Only they see what an endpoint responded: they chose the address,
 * and the response can come from a host that the others do not reach.
 */
export function maySeeResponses(actor: Actor, environment: Environment): boolean {
  return roleAtLeast(actor.role, ROLE_BY_ENVIRONMENT[environment]);
}

/** Throws `reauthentication-required` for a live endpoint: with its signing secret, anyone can forge events for the receiver. */
export function requireRecentAuthenticationForSecret(
  actor: Actor,
  environment: Environment,
  { clock }: { clock: Clock },
): void {
  if (environment === 'live') requireRecentAuthentication(actor, clock.now(), 'get a live signing secret');
}
