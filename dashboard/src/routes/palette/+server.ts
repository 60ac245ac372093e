import { error, isRedirect, json } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaletteData } from '#lib/palette/commands.ts';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { listApplicationNames } from '#lib/server/payments/application-names.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import type { RequestHandler } from './$types';

/** The applications that the command palette searches by name, and what this member may create. */
export const GET: RequestHandler = async ({ locals }) => {
  const reject = (status: 401 | 503) =>
    error(status, { message: 'Temporarily unavailable.', requestId: locals.requestId });
  if (locals.session === null) reject(401);
  try {
    const [me, applications] = await Promise.all([
      locals.admin.call(ADMIN_ROUTES.getMe, {}),
      listApplicationNames(locals.admin),
    ]);
    const mayCreateKey = (environment: 'live' | 'sandbox') =>
      roleAllows(ADMIN_ROUTES.createKey.access, me.role, environment);
    const data: PaletteData = {
      applications: applications
        .filter(({ isArchived }) => !isArchived)
        .map(({ id, name }) => ({ id, name })),
      mayCreate: {
        application: mayCreateApplications(me.role),
        key: { live: mayCreateKey('live'), sandbox: mayCreateKey('sandbox') },
        token: mayManageTokens(me.role),
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
