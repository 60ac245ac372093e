import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type Role, roleAtLeast } from '@tollgate/contracts/platform/roles';
import type { Clock } from '@tollgate/runtime/clock';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';

/**
 * Throws `reauthentication-required` when one of the roles, which a member gains or loses, reaches everything in live. `action`
 * completes "You cannot …".
 */
export function requireRecentAuthenticationForRoles(
  actor: Actor,
  roles: readonly Role[],
  { clock, action }: { clock: Clock; action: string },
): void {
  if (roles.some((role) => roleAtLeast(role, 'admin')))
    requireRecentAuthentication(actor, clock.now(), action);
}

/** Throws `reauthentication-required` for a credential that works in live. `environments` is null for both. */
export function requireRecentAuthenticationForEnvironments(
  actor: Actor,
  environments: readonly Environment[] | null,
  { clock, action }: { clock: Clock; action: string },
): void {
  if (environments === null || environments.includes('live'))
    requireRecentAuthentication(actor, clock.now(), action);
}
