import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

/** If the link is invalid, the error page shows the admin API's message. */
export const load: PageServerLoad = async ({ locals, params }) => ({
  link: await locals.admin.call(ADMIN_ROUTES.findResetLink, { token: params.token }),
});

export const actions = {
  default: formAction(
    ADMIN_ROUTES.resetPassword,
    (form, { params }: RequestEvent) => ({ token: params.token, password: form.secret('password') }),
    (_, __, event) => {
      // The new password has ended all sessions of the member, possibly including this browser's.
      event.locals.sealedCookies.clear('session');
      redirectWithFlash(event, 'password-set', '/sign-in');
    },
  ),
} satisfies Actions;
