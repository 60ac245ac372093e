import { redirect } from '@sveltejs/kit';
import { ENVIRONMENT_COOKIE, readEnvironment } from '#lib/server/environment-cookie.ts';
import type { PageServerLoad } from './$types';

/** The front door leads to the environment that was looked at last. */
export const load: PageServerLoad = ({ cookies }) => {
  redirect(303, `/${readEnvironment(cookies.get(ENVIRONMENT_COOKIE))}`);
};
