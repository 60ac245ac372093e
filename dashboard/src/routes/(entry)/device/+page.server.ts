import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { API_TOKEN_ROLES } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { roleAtLeast } from '@tollgate/contracts/platform/roles';
import { ROLE_CHOICES } from '#lib/people/roles.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
import { signInPath } from '#lib/server/sign-in-path.ts';
import type { Actions, PageServerLoad } from './$types';

/** Only asks for the code: a link alone neither looks it up nor decides anything. */
export const load: PageServerLoad = async ({ locals, url }) => {
  if (locals.session === null) redirect(303, signInPath(url));
  const me = await locals.admin.call(ADMIN_ROUTES.getMe, {});
  const roles = API_TOKEN_ROLES.filter((role) => roleAtLeast(me.role, role));
  return {
    me,
    userCode: url.searchParams.get('user_code') ?? '',
    roles: ROLE_CHOICES.filter(({ value }) => roles.some((role) => role === value)),
    now: Date.now(),
  };
};

export const actions = {
  async find({ request, locals }) {
    const form = await readForm(request);
    const user_code = form.text('user_code');
    if (user_code === '') return failForm(form, 400, { errors: { user_code: 'Enter the code.' } });
    return submitCode(form, async () => ({
      login: await locals.admin.call(ADMIN_ROUTES.getDeviceAuthorization, { user_code }),
    }));
  },

  async approve({ request, locals, url }) {
    const form = await readForm(request);
    const role = API_TOKEN_ROLES.find((known) => known === form.text('role'));
    const environments = ENVIRONMENTS.filter((known) => ['both', known].includes(form.text('environments')));
    if (role === undefined || environments.length === 0)
      return failForm(form, 400, { message: 'Select a role and environments.' });
    return submitCode(form, async () => {
      const user_code = form.text('user_code');
      try {
        await locals.admin.call(ADMIN_ROUTES.approveDeviceAuthorization, { user_code, role, environments });
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'reauthentication-required') throw error;
        const next = `${url.pathname}?user_code=${encodeURIComponent(user_code)}`;
        redirect(303, `/reauthenticate?next=${encodeURIComponent(next)}`);
      }
      return { decided: 'approved' as const };
    });
  },

  async deny({ request, locals }) {
    const form = await readForm(request);
    return submitCode(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.denyDeviceAuthorization, { user_code: form.text('user_code') });
      return { decided: 'denied' as const };
    });
  },
} satisfies Actions;

/** A code that is wrong, expired, or used is an error of its field: the member can correct it. */
function submitCode<T>(form: Form, run: () => Promise<T>) {
  return submitForm(form, async () => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof AdminProblem) || !['not-found', 'conflict'].includes(error.code)) throw error;
      return failForm(form, error.status, { errors: { user_code: error.detail } });
    }
  });
}
