import type { Actor } from '@tollgate/contracts/actor';
import { findApplication } from '../applications/find-application.ts';
import type { Context } from '../context.ts';
import type { Page, PageRequest } from '../keyset-page.ts';
import type { ApiKey } from './api-key.ts';

/** The application's keys of both environments, newest first, ended ones too. Throws `not-found`. */
export async function listKeys(
  context: Context,
  actor: Actor,
  request: PageRequest & { applicationId: string },
): Promise<Page<ApiKey>> {
  const application = await findApplication(context, actor.team_id, request.applicationId);
  return context.apiKeys.list(actor.team_id, application.id, request);
}
