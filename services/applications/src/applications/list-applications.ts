import type { Actor } from '@tollgate/contracts/actor';
import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import type { Context } from '../context.ts';
import type { Application, ApplicationStatus } from './application.ts';

/** The team's applications, newest first, optionally of one status. Every member of the team may read. */
export async function listApplications(
  context: Context,
  actor: Actor,
  request: PageRequest & { status: ApplicationStatus | undefined },
): Promise<Page<Application>> {
  return context.applications.list(actor.team_id, request);
}
