import { Problem } from '@tollgate/contracts/problem';
import type { Application } from './application.ts';
import type { Context } from './context.ts';

/** The team's application. Throws `not-found`, also for another team's: whether it exists is that team's business. */
export async function findApplication(
  context: Context,
  teamId: string,
  applicationId: string,
): Promise<Application> {
  const application = await context.applications.find(teamId, applicationId);
  if (!application) throw new Problem('not-found', `Your team has no application ${applicationId}.`);
  return application;
}

/** As `findApplication`; throws `conflict` for an archived one, which gets no new keys. */
export async function findActiveApplication(
  context: Context,
  teamId: string,
  applicationId: string,
): Promise<Application> {
  const application = await findApplication(context, teamId, applicationId);
  if (application.status === 'archived') {
    throw new Problem('conflict', 'The application is archived. Restore it before you make keys for it.');
  }
  return application;
}
