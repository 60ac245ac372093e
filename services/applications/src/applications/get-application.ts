import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import type { Application } from './application.ts';
import { findApplication } from './find-application.ts';

/** Throws `not-found`. Every member of the team may read. */
export async function getApplication(
  context: Context,
  actor: Actor,
  request: { applicationId: string },
): Promise<Application> {
  return findApplication(context, actor.team_id, request.applicationId);
}
