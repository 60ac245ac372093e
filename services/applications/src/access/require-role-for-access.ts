import type { Actor } from '@tollgate/contracts/actor';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { requireRole } from '@tollgate/security/require-role';
import type { Application } from '../applications/application.ts';
import type { Context } from '../context.ts';

/**
 * Throws `forbidden` unless the actor may change the application's access. With an active live key, that requires the
 * live role.
 */
export async function requireRoleForAccess(
  context: Context,
  actor: Actor,
  application: Application,
  action: string,
): Promise<void> {
  requireRole(actor, ROLE_BY_ENVIRONMENT.sandbox, `${action} of an application`);
  const now = new Date(context.clock.now());
  const affectsLive = await context.apiKeys.hasActiveLiveKey(application.teamId, application.id, now);
  if (affectsLive)
    requireRole(actor, ROLE_BY_ENVIRONMENT.live, `${action} of an application that has live keys`);
}
