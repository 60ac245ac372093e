import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { YEAR_S } from '@tollgate/contracts/platform/durations';
import { ENVIRONMENT_COOKIE, readEnvironment } from '#lib/server/environment-cookie.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import { rejectUnknownPage, UNKNOWN_PAGE_ROUTE } from '#lib/server/unknown-page.ts';
import type { LayoutServerLoad } from './$types';

/** Data of every page: the signed-in member, and the current environment. */
export const load: LayoutServerLoad = async ({ locals, cookies, params, route, url }) => {
  if (locals.session === null) {
    // Programs that try paths, such as password managers, must see that nothing is there.
    if (route.id === UNKNOWN_PAGE_ROUTE) rejectUnknownPage();
    redirect(303, signInPath(url));
  }
  const remembered = readEnvironment(cookies.get(ENVIRONMENT_COOKIE));
  const environment = params.environment ?? remembered;
  if (environment !== remembered) {
    cookies.set(ENVIRONMENT_COOKIE, environment, { maxAge: YEAR_S, sameSite: 'lax', secure: locals.secure });
  }
  return {
    me: await locals.admin.call(ADMIN_ROUTES.getMe, {}),
    environment,
    now: Date.now(),
  };
};
