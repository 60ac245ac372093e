import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireRoleForLimits } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { type Application, type Limits, withLimits } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/** Sets the rate limits of both environments. Throws what `changeApplication` throws. */
export async function setLimits(
  context: Context,
  actor: Actor,
  request: ApplicationRef & { limits: Limits },
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.limits_changed',
    authorize: () => requireRoleForLimits(actor),
    apply: (application, now) => withLimits(application, request.limits, now),
  });
}
