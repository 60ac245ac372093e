import { redirect } from '@sveltejs/kit';
import { API_TOKEN_ROLES } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { roleAtLeast } from '@tollgate/contracts/platform/roles';
import { ROLE_CHOICES } from '#lib/people/roles.ts';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types';

/** Only asks for the code: a link alone neither looks it up nor decides anything. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const me = await locals.admin.call(ADMIN_ROUTES.getMe, {});
  const roles = API_TOKEN_ROLES.filter((role) => roleAtLeast(me.role, role));
  return {
    me,
    userCode: url.searchParams.get('user_code') ?? '',
    roles: ROLE_CHOICES.filter(({ value }) => roles.some((role) => role === value)),
    now: Date.now(),
  };
};

/** A code that is wrong, expired, or used is an error of its field: the member can correct it. */
const ABOUT_CODE = { fieldOf: { 'not-found': 'user_code', conflict: 'user_code' } };

export const actions = {
  find: formAction(
    ADMIN_ROUTES.getDeviceAuthorization,
    (form) => ({ user_code: form.required('user_code', 'Enter the code.') }),
    (login) => ({ login }),
    ABOUT_CODE,
  ),

  approve: formAction(
    ADMIN_ROUTES.approveDeviceAuthorization,
    (form) => {
      const role = API_TOKEN_ROLES.find((known) => known === form.text('role'));
      const environments = ENVIRONMENTS.filter((known) =>
        ['both', known].includes(form.text('environments')),
      );
      if (role === undefined || environments.length === 0)
        return failForm(form, 400, { message: 'Select a role and environments.' });
      return { user_code: form.text('user_code'), role, environments };
    },
    () => ({ decided: 'approved' as const }),
    {
      ...ABOUT_CODE,
      explain(problem, form, { url }) {
        if (problem.code !== 'reauthentication-required') return problem;
        const next = `${url.pathname}?user_code=${encodeURIComponent(form.text('user_code'))}`;
        redirect(303, `/reauthenticate?next=${encodeURIComponent(next)}`);
      },
    },
  ),

  deny: formAction(
    ADMIN_ROUTES.denyDeviceAuthorization,
    (form) => ({ user_code: form.text('user_code') }),
    () => ({ decided: 'denied' as const }),
    ABOUT_CODE,
  ),
} satisfies Actions;
