import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireRoleForAccess } from '../access/require-role-for-access.ts';
import type { Context } from '../context.ts';
import { type Application, withStatus } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/**
 * Restores the access of an archived application, with the keys that are still active. Throws what `changeApplication` throws.
 */
export async function restoreApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.restored',
    authorize: (application) =>
      requireRoleForAccess(context, actor, application, 'change the status of an application'),
    apply: (application, now) => withStatus(application, 'active', now),
  });
}
