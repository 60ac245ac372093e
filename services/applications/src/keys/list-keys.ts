import type { Actor } from '@tollgate/contracts/actor';
import type { Environment } from '@tollgate/contracts/environment';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import { findApplication } from '../applications/find-application.ts';
import type { Context } from '../context.ts';
import type { ApiKey } from './api-key.ts';

/**
 * The application's keys, newest first. Without a filter: those of both environments, including revoked and expired
 * ones. Throws `not-found`.
 */
export async function listKeys(
  context: Context,
  actor: Actor,
  request: PageRequest & { applicationId: string; environment: Environment | null; activeOnly: boolean },
): Promise<Page<ApiKey>> {
  const application = await findApplication(context, actor.team_id, request.applicationId);
  const { environment, activeOnly } = request;
  const activeAt = activeOnly ? new Date(context.clock.now()) : null;
  return context.apiKeys.list(actor.team_id, application.id, { environment, activeAt }, request);
}
