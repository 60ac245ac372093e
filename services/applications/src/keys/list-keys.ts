import type { Actor } from '@tollgate/contracts/accounts/actor';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import { findApplication } from '../applications/find-application.ts';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyFilter } from './api-key-store.ts';

/**
 * The team's keys that match all filters, newest first. Without a filter: those of all applications and
 * environments that the actor may use, including revoked and expired ones. Throws `not-found` for an application that the team does not have.
 */
export async function listKeys(
  context: Context,
  actor: Actor,
  request: PageRequest & KeyFilter,
): Promise<Page<ApiKey>> {
  if (request.applicationId !== undefined)
    await findApplication(context, actor.team_id, request.applicationId);
  const filter = { ...request, environment: narrowEnvironment(actor, request.environment) };
  return context.queries.run(actor.team_id, () =>
    context.apiKeys.list(actor.team_id, filter, request, new Date(context.clock.now())),
  );
}
