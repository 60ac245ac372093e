import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { limitsOf } from '#lib/server/field-limits.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { signInToNewAccount } from '#lib/server/sign-in.ts';
import type { Actions, PageServerLoad } from './$types';

/** If the link is invalid, the error page shows the admin API's message. */
export const load: PageServerLoad = async ({ locals, params }) => ({
  invitation: await locals.admin.call(ADMIN_ROUTES.findInvitation, { token: params.token }),
  limits: limitsOf({ default: ADMIN_ROUTES.acceptInvitation }),
});

export const actions = {
  async default({ request, locals, params }) {
    const form = await readForm(request);
    const password = form.secret('password');
    return submitForm(form, async () => {
      const member = await locals.admin.call(ADMIN_ROUTES.acceptInvitation, {
        token: params.token,
        name: form.text('name'),
        password,
      });
      await signInToNewAccount(locals, { email: member.email, password });
      redirect(303, '/');
    });
  },
} satisfies Actions;
