import { Problem } from '@tollgate/contracts/platform/problem';
import { recordNotFound } from '@tollgate/store/audited-records';
import type { Context } from '../context.ts';
import type { Application } from './application.ts';

/**
 * The team's application. Throws `not-found`, also for one of another team, so that callers cannot learn which ids
 * exist.
 */
export async function findApplication(
  { applications }: Context,
  teamId: string,
  applicationId: string,
): Promise<Application> {
  const application = await applications.find(teamId, applicationId);
  if (!application) throw recordNotFound(applications, applicationId);
  return application;
}

/** Throws `conflict` for an archived application, which cannot get new keys. */
export function requireActive(application: Application): void {
  if (application.status === 'active') return;
  throw new Problem('conflict', 'The application is archived. Restore it before you create keys for it.');
}
