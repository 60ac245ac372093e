import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import type { IdempotencyKeyRequirement } from '@tollgate/contracts/idempotency-key-requirement';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { requireRole } from '@tollgate/security/require-role';

/** Throws `forbidden` unless the actor may change keys of this environment. */
export function requireRoleForKeys(actor: Actor, environment: Environment): void {
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `change ${environment} keys`);
}

/** Throws `forbidden` unless the actor may change the requirement: in live, only the live role may. */
export function requireRoleForKeyRequirement(
  actor: Actor,
  current: IdempotencyKeyRequirement,
  wanted: IdempotencyKeyRequirement,
): void {
  const environment = current.live === wanted.live ? 'sandbox' : 'live';
  requireRole(
    actor,
    ROLE_BY_ENVIRONMENT[environment],
    `change the ${environment} idempotency key requirement`,
  );
}

export function requireRoleForLimits(actor: Actor): void {
  requireRole(actor, 'admin', 'change limits');
}
