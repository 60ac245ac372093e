import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Labels } from '@tollgate/contracts/applications/labels';
import { requireRoleForApplication } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { type Application, withLabels } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';
import { parseLabels } from './parse-labels.ts';

/** Replaces all labels. Throws `invalid-request`, and like `changeApplication`. */
export async function setLabels(
  context: Context,
  actor: Actor,
  request: ApplicationRef & { labels: Labels },
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.labels_changed',
    authorize: () => requireRoleForApplication(actor, 'change labels'),
    apply: (application, now) => withLabels(application, parseLabels(request.labels), now),
  });
}
