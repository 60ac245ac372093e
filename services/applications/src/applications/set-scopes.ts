import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Scope } from '@tollgate/contracts/applications/scopes';
import { requireRoleForAccess } from '../access/require-role-for-access.ts';
import type { Context } from '../context.ts';
import { type Application, withScopes } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/** Sets the application's scopes. Its keys lose a removed scope immediately. Throws what `changeApplication` throws. */
export async function setScopes(
  context: Context,
  actor: Actor,
  request: ApplicationRef & { scopes: Scope[] },
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.scopes_changed',
    authorize: (application) =>
      requireRoleForAccess(context, actor, application, 'change the scopes of an application'),
    apply: (application, now) => withScopes(application, request.scopes, now),
  });
}
