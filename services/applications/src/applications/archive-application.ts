import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireRoleForAccess } from '../access/require-role-for-access.ts';
import type { Context } from '../context.ts';
import { type Application, withStatus } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/** Ends all access of the application until it is restored; its keys are unchanged. Throws what `changeApplication` throws. */
export async function archiveApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef,
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.archived',
    authorize: (application) =>
      requireRoleForAccess(context, actor, application, 'change the status of an application'),
    apply: (application, now) => withStatus(application, 'archived', now),
  });
}
