import type { Actor } from '@tollgate/contracts/actor';
import { requireRole } from '@tollgate/security/require-role';
import type { Application } from '../applications/application.ts';
import type { Context } from '../context.ts';

/** Developers manage applications, but what changes the access of live keys in use needs an admin. Throws `forbidden`. */
export async function requireRoleForAccess(
  context: Context,
  actor: Actor,
  application: Application,
  action: string,
): Promise<void> {
  requireRole(actor, 'developer', `${action} of an application`);
  const now = new Date(context.clock.now());
  const affectsLive = await context.apiKeys.hasActiveLiveKey(application.teamId, application.id, now);
  if (affectsLive) requireRole(actor, 'admin', `${action} of an application that has live keys`);
}
