import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import { isConfirmationPath } from '#lib/session/sso-path.ts';
import type { Actions, PageServerLoad } from './$types';

/** Also for a signed-in member: signing in again confirms the identity. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const isConfirmation = isConfirmationPath(url) && locals.session !== null;
  return {
    next: safeNextPath(url.searchParams.get('next')),
    isConfirmation,
    email: isConfirmation ? (await locals.admin.call(ADMIN_ROUTES.getMe, {})).email : '',
  };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.startSingleSignOn,
    (form, { url }) => ({
      email: form.text('email'),
      must_authenticate_again: isConfirmationPath(url) || undefined,
    }),
    async ({ browser_token, authorization_url, expires_at }, _, { locals, url }) => {
      const next = safeNextPath(url.searchParams.get('next'));
      const kept = { token: browser_token, next, isConfirmation: isConfirmationPath(url) };
      await locals.sealedCookies.write('single-sign-on', kept, new Date(expires_at));
      // Not a redirect: the content security policy allows forms to lead to this site only.
      return { continueTo: authorization_url };
    },
    { fieldOf: { 'not-found': 'email' } },
  ),
} satisfies Actions;
