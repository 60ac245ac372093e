import { redirect } from '@sveltejs/kit';
import { YEAR_S } from '@tollgate/contracts/platform/durations';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import { readTheme, THEME_COOKIE } from '#lib/theme.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = () => redirect(303, '/');

export const actions: Actions = {
  async default({ request, cookies, locals }) {
    const form = await request.formData();
    const theme = readTheme(form.get('theme')?.toString());
    cookies.set(THEME_COOKIE, theme, { maxAge: YEAR_S, sameSite: 'lax', secure: locals.secure });
    redirect(303, safeNextPath(form.get('next')?.toString()));
  },
};
