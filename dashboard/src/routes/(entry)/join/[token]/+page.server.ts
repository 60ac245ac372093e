import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import { signInToNewAccount } from '#lib/server/sign-in.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

/** If the link is invalid, the error page shows the admin API's message. */
export const load: PageServerLoad = async ({ locals, params }) => ({
  invitation: await locals.admin.call(ADMIN_ROUTES.findInvitation, { token: params.token }),
  limits: limitsOf({ default: ADMIN_ROUTES.acceptInvitation }),
});

export const actions = {
  default: formAction(
    ADMIN_ROUTES.acceptInvitation,
    (form, { params }: RequestEvent) => ({
      token: params.token,
      name: form.text('name'),
      password: form.secret('password'),
    }),
    async ({ email }, form, { locals }) => {
      await signInToNewAccount(locals, { email, password: form.secret('password') });
      redirect(303, '/');
    },
  ),
} satisfies Actions;
