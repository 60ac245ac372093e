import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import { isSetUp } from '#lib/server/installation.ts';
import { signInToNewAccount } from '#lib/server/sign-in.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
  if (await isSetUp(locals.admin)) redirect(303, '/sign-in');
  return { limits: limitsOf({ default: ADMIN_ROUTES.setUp }) };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.setUp,
    (form) => ({
      token: form.secret('token').trim(),
      team_name: form.text('team_name'),
      name: form.text('name'),
      email: form.text('email'),
      password: form.secret('password'),
    }),
    async (_, form, { locals }) => {
      await signInToNewAccount(locals, { email: form.text('email'), password: form.secret('password') });
      redirect(303, '/');
    },
    { fieldOf: { forbidden: 'token' } },
  ),
} satisfies Actions;
