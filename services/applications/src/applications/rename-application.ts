import type { Actor } from '@tollgate/contracts/accounts/actor';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { requireRoleForApplication } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { type Application, renamed } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/** Throws `invalid-request`, and like `changeApplication`. */
export async function renameApplication(
  context: Context,
  actor: Actor,
  request: ApplicationRef & { name: string },
): Promise<Application> {
  return changeApplication(context, actor, request, {
    action: 'application.renamed',
    authorize: () => requireRoleForApplication(actor, 'rename applications'),
    apply: (application, now) => renamed(application, parseName(request.name), now),
  });
}
