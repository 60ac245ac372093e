import { redirect } from '@sveltejs/kit';
import { ENVIRONMENT_COOKIE, readEnvironment } from '#lib/server/environment-cookie.ts';
import type { PageServerLoad } from './$types';

/** Redirects to the environment that the member viewed last. */
export const load: PageServerLoad = ({ cookies }) => {
  redirect(303, `/${readEnvironment(cookies.get(ENVIRONMENT_COOKIE))}`);
};
