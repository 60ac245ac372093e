import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import { safeNextPath, signInPath } from '#lib/server/sign-in-path.ts';
import { usesSingleSignOn } from '#lib/session/uses-single-sign-on.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const me = await locals.admin.call(ADMIN_ROUTES.getMe, {});
  return {
    email: me.email,
    needsProvider: usesSingleSignOn(me),
    next: safeNextPath(url.searchParams.get('next')),
  };
};

export const actions = {
  async default({ request, locals, url }) {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.reauthenticate, {
        current_password: form.secret('current_password'),
      });
      redirect(303, safeNextPath(url.searchParams.get('next')));
    });
  },
} satisfies Actions;
