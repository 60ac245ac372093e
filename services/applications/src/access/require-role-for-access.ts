import type { Actor } from '@tollgate/contracts/accounts/actor';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Application } from '../applications/application.ts';
import type { Context } from '../context.ts';

/**
 * Throws `forbidden` unless the actor may change the application's access. With an active live key, that requires the
 * live role, and access to live. `action` completes "You cannot …", and names the application last.
 */
export async function requireRoleForAccess(
  context: Context,
  actor: Actor,
  application: Application,
  action: string,
): Promise<void> {
  requireRole(actor, ROLE_BY_ENVIRONMENT.sandbox, action);
  requireEnvironment(actor, 'sandbox');
  const now = new Date(context.clock.now());
  const affectsLive = await context.apiKeys.hasActiveLiveKey(application.team_id, application._id, now);
  if (!affectsLive) return;
  requireRole(actor, ROLE_BY_ENVIRONMENT.live, `${action} that has live keys`);
  requireEnvironment(actor, 'live');
}
