import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { setFlash } from '#lib/server/flash.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

/** If the link is invalid, the error page shows the admin API's message. */
export const load: PageServerLoad = async ({ locals, params }) => ({
  link: await locals.admin.call(ADMIN_ROUTES.findResetLink, { token: params.token }),
});

export const actions = {
  async default({ request, locals, cookies, params }) {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const password = form.secret('password');
      await locals.admin.call(ADMIN_ROUTES.resetPassword, { token: params.token, password });
      // The new password has ended all sessions of the member, possibly including this browser's.
      locals.sealedCookies.clear('session');
      setFlash({ locals, cookies }, 'password-set');
      redirect(303, '/sign-in');
    });
  },
} satisfies Actions;
