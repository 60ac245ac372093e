import { redirect } from '@sveltejs/kit';
import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { readAssertion } from '#lib/server/passkeys/read-credential.ts';
import { safeNextPath, signInPath } from '#lib/server/sign-in-path.ts';
import { usesSingleSignOn } from '#lib/session/uses-single-sign-on.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, url }) => {
  if (locals.session === null) redirect(303, signInPath(url));
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
  async password({ request, locals, url }) {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.reauthenticate, {
        current_password: form.secret('current_password'),
      });
      redirect(303, safeNextPath(url.searchParams.get('next')));
    });
  },

  async passkey({ request, locals, url }) {
    const form = await readForm(request);
    const passkey = readAssertion(form.text('passkey'));
    if (passkey === null) return failForm(form, 400, { message: NO_PASSKEY });
    return submitForm(form, async () => {
      try {
        await locals.admin.call(ADMIN_ROUTES.reauthenticate, { passkey });
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'invalid-request') throw error;
        return failForm(form, error.status, { message: NOT_ACCEPTED });
      }
      redirect(303, safeNextPath(url.searchParams.get('next')));
    });
  },
} satisfies Actions;
