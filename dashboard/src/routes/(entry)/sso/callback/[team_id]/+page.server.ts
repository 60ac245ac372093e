import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import type { PageServerLoad } from './$types';

const SERVER_ERROR = 500;

/** Where the identity provider sends the browser. A failure keeps the cookie: another site could cause one at any time. */
export const load: PageServerLoad = async ({ locals, params, url }) => {
  const started = await locals.sealedCookies.read('single-sign-on');
  if (started === null) {
    return {
      reason:
        'This sign-in was not started in this browser, or was started more than ten minutes ago. Start it again.',
      isConfirmation: false,
      next: '/',
    };
  }
  const next = safeNextPath(started.next);
  try {
    const { token, expires_at } = await locals.admin.call(ADMIN_ROUTES.finishSingleSignOn, {
      team_id: params.team_id,
      browser_token: started.token,
      response: url.search.slice(1),
    });
    await locals.sealedCookies.write('session', { token }, new Date(expires_at));
    locals.sealedCookies.clear('single-sign-on');
  } catch (error) {
    if (!(error instanceof AdminProblem) || error.status >= SERVER_ERROR) throw error;
    const isConfirmation = started.isConfirmation && locals.session !== null;
    return { reason: error.detail, isConfirmation, next };
  }
  redirect(303, next);
};
