import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import type { Context } from '../context.ts';
import type { Application } from './application.ts';
import type { ApplicationFilter } from './application-store.ts';

/** The team's applications that match all filters, newest first. Every member of the team may read. */
export async function listApplications(
  context: Context,
  actor: Actor,
  request: PageRequest & ApplicationFilter,
): Promise<Page<Application>> {
  return context.queries.run(actor.team_id, () => context.applications.list(actor.team_id, request, request));
}
