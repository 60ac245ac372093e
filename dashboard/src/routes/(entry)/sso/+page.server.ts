import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { AdminProblem } from '#lib/server/admin-problem.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import type { Actions, PageServerLoad } from './$types';

/** Also for a signed-in member: signing in again confirms the identity. */
export const load: PageServerLoad = ({ url }) => ({ next: safeNextPath(url.searchParams.get('next')) });

export const actions = {
  async default({ request, locals, url }) {
    const form = await readForm(request);
    const next = safeNextPath(url.searchParams.get('next'));
    const email = form.text('email');
    return submitForm(form, async () => {
      try {
        const started = await locals.admin.call(ADMIN_ROUTES.startSingleSignOn, { email });
        const expiresAt = new Date(started.expires_at);
        await locals.sealedCookies.write('single-sign-on', { token: started.browser_token, next }, expiresAt);
        // Not a redirect: the content security policy allows forms to lead to this site only.
        return { continueTo: started.authorization_url };
      } catch (error) {
        if (!(error instanceof AdminProblem) || error.code !== 'not-found') throw error;
        return failForm(form, 400, { errors: { email: error.detail } });
      }
    });
  },
} satisfies Actions;
