import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { IdempotencyKeyRequirement } from '@tollgate/contracts/applications/idempotency-key-requirement';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import type { Clock } from '@tollgate/runtime/clock';
import { requireAllEnvironments, requireEnvironment } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change keys of this environment. */
export function requireRoleForKeys(actor: Actor, environment: Environment): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `change ${environment} keys`);
  requireEnvironment(actor, environment);
}

/** Throws `reauthentication-required` for a live key. The caller gets its secret, which works until the key is revoked. */
export function requireRecentAuthenticationForKeys(
  actor: Actor,
  environment: Environment,
  { clock }: { clock: Clock },
): void {
  if (environment === 'live') requireRecentAuthentication(actor, clock.now(), 'get a new live key');
}

/** Throws `forbidden` unless the actor may make this change: in live, only the live role may. */
export function requireRoleForKeyRequirement(
  actor: Actor,
  current: IdempotencyKeyRequirement,
  wanted: IdempotencyKeyRequirement,
): void {
  const environment = current.live === wanted.live ? 'sandbox' : 'live';
  for (const changed of ENVIRONMENTS.filter((one) => current[one] !== wanted[one]))
    requireEnvironment(actor, changed);
  requireRole(
    actor,
    ROLE_BY_ENVIRONMENT[environment],
    `change the ${environment} idempotency key requirement`,
  );
}

export function requireRoleForLimits(actor: Actor): void {
  requireRole(actor, 'admin', 'change limits');
  requireAllEnvironments(actor, 'change limits');
}

export function requireRoleForLeakedKeyPolicy(actor: Actor): void {
  requireRole(actor, 'admin', 'change the policy for leaked keys');
  requireAllEnvironments(actor, 'change the policy for leaked keys');
}

/** Throws `forbidden` unless the actor may change what an application has for both environments, such as its name. */
export function requireRoleForApplication(actor: Actor, action: string): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT.sandbox, action);
  requireAllEnvironments(actor, action);
}
