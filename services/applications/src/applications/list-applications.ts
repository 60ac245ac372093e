import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import type { Page, PageRequest } from '../keyset-page.ts';
import type { Application } from './application.ts';

/** The team's applications, newest first. Every member of the team may read. */
export async function listApplications(
  context: Context,
  actor: Actor,
  request: PageRequest,
): Promise<Page<Application>> {
  return context.applications.list(actor.team_id, request);
}
