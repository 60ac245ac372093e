import { error, isRedirect, json } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaletteData } from '#lib/palette/commands.ts';
import { allows } from '#lib/server/access.ts';
import { readEnvironment } from '#lib/server/environment-cookie.ts';
import { listMembers } from '#lib/server/members.ts';
import { orNull } from '#lib/server/or-null.ts';
import { isArchived, listApplications } from '#lib/server/payments/application-names.ts';
import type { RequestHandler } from './$types';

/** The newest keys and endpoints: one page of each. */
const MAX_NAMED = 100;

/** What the command palette searches by name, and what this member may create. */
export const GET: RequestHandler = async ({ locals, url }) => {
  const reject = (status: 401 | 503) => error(status, 'Temporarily unavailable.');
  if (locals.session === null) reject(401);
  const environment = readEnvironment(url.searchParams.get('environment'));
  try {
    const { admin } = locals;
    const [me, applications, keys, endpoints, members] = await Promise.all([
      admin.call(ADMIN_ROUTES.getMe, {}),
      listApplications(admin),
      orNull(admin.call(ADMIN_ROUTES.listTeamKeys, { environment, status: 'active', limit: MAX_NAMED })),
      orNull(admin.call(ADMIN_ROUTES.listEndpoints, { environment, limit: MAX_NAMED })),
      orNull(listMembers(admin)),
    ]);
    const mayCreateKey = (environment: 'live' | 'sandbox') =>
      allows(ADMIN_ROUTES.createKey, me.role, environment);
    const data: PaletteData = {
      applications: applications
        .filter((application) => !isArchived(application))
        .map(({ id, name }) => ({ id, name })),
      keys: (keys?.data ?? []).map(({ id, name, application_id }) => ({ id, name, application_id })),
      endpoints: (endpoints?.data ?? []).map(({ id, url }) => ({ id, url })),
      members: (members ?? []).map(({ id, name, email }) => ({ id, name, email })),
      mayCreate: {
        application: allows(ADMIN_ROUTES.createApplication, me.role),
        key: { live: mayCreateKey('live'), sandbox: mayCreateKey('sandbox') },
        token: allows(ADMIN_ROUTES.createToken, me.role),
      },
    };
    return json(data);
  } catch (failure) {
    // Following a redirect, a script would receive the HTML of the sign-in page.
    if (isRedirect(failure)) reject(401);
    if (failure instanceof AdminProblem) reject(503);
    throw failure;
  }
};
