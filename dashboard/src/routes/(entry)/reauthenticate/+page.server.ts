import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readAssertion } from '#lib/server/passkeys/read-credential.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import { usesSingleSignOn } from '#lib/session/uses-single-sign-on.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
  const me = await locals.admin.call(ADMIN_ROUTES.getMe, {});
  return {
    email: me.email,
    hasPasskey: me.passkey_count > 0,
    needsProvider: usesSingleSignOn(me),
    next: safeNextPath(url.searchParams.get('next')),
  };
};

const NO_PASSKEY = 'The browser sent no passkey. Try again, or enter your password.';
const NOT_ACCEPTED =
  'This passkey was not accepted: it is not one of your account, or it took more than five minutes. Try again, or enter your password.';

export const actions = {
  password: formAction(
    ADMIN_ROUTES.reauthenticate,
    (form) => ({ current_password: form.secret('current_password') }),
    goOn,
  ),

  passkey: formAction(
    ADMIN_ROUTES.reauthenticate,
    (form) => {
      const passkey = readAssertion(form.text('passkey'));
      return passkey === null ? failForm(form, 400, { message: NO_PASSKEY }) : { passkey };
    },
    goOn,
    {
      explain: (problem, form) =>
        problem.code === 'invalid-request'
          ? failForm(form, problem.status, { message: NOT_ACCEPTED })
          : problem,
    },
  ),
} satisfies Actions;

function goOn(_: unknown, __: unknown, { url }: RequestEvent): never {
  redirect(303, safeNextPath(url.searchParams.get('next')));
}
