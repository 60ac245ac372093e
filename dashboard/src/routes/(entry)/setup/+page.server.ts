import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { limitsOf } from '#lib/server/field-limits.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { isSetUp } from '#lib/server/installation.ts';
import { signInToNewAccount } from '#lib/server/sign-in.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
  if (await isSetUp(locals.admin)) redirect(303, '/sign-in');
  return { limits: limitsOf({ default: ADMIN_ROUTES.setUp }) };
};

export const actions = {
  async default({ request, locals }) {
    const form = await readForm(request);
    const email = form.text('email');
    const password = form.secret('password');
    return submitForm(form, async () => {
      try {
        await locals.admin.call(ADMIN_ROUTES.setUp, {
          token: form.secret('token').trim(),
          team_name: form.text('team_name'),
          name: form.text('name'),
          email,
          password,
        });
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'forbidden') throw error;
        return failForm(form, error.status, { errors: { token: error.detail } });
      }
      await signInToNewAccount(locals, { email, password });
      redirect(303, '/');
    });
  },
} satisfies Actions;
