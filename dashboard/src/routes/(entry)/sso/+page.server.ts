import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
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
  async default({ request, locals, url }) {
    const form = await readForm(request);
    const next = safeNextPath(url.searchParams.get('next'));
    const email = form.text('email');
    const isConfirmation = isConfirmationPath(url);
    return submitForm(form, async () => {
      try {
        const started = await locals.admin.call(ADMIN_ROUTES.startSingleSignOn, {
          email,
          ...(isConfirmation && { must_authenticate_again: true }),
        });
        const kept = { token: started.browser_token, next, isConfirmation };
        await locals.sealedCookies.write('single-sign-on', kept, new Date(started.expires_at));
        // Not a redirect: the content security policy allows forms to lead to this site only.
        return { continueTo: started.authorization_url };
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'not-found') throw error;
        return failForm(form, 400, { errors: { email: error.detail } });
      }
    });
  },
} satisfies Actions;
