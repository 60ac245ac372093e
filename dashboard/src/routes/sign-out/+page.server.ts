import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { redirectWithFlash } from '#lib/server/flash.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = () => redirect(303, '/');

export const actions: Actions = {
  async default({ locals, cookies }) {
    try {
      await locals.admin.call(ADMIN_ROUTES.revokeSession, { session_id: 'current' });
    } catch {
      // The session has already ended, or the service is unavailable. The cookie is cleared either way, and an unused
      // session expires.
    }
    locals.sealedCookies.clear('session');
    redirectWithFlash({ locals, cookies }, 'signed-out', '/sign-in');
  },
};
