import { isActionFailure, redirect } from '@sveltejs/kit';
import type { Session } from '@tollgate/contracts/account';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deviceName } from '#lib/people/device-name.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
  const sessions = await locals.admin.call(ADMIN_ROUTES.listSessions, {});
  return { sessions: sessions.data.toSorted(currentFirst).map(shown) };
};

export const actions = {
  revoke: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.revokeSession, { session_id: form.text('session_id') });
      return { done: 'Session ended.' };
    });
  },

  revokeAll: async ({ request, locals }) => {
    const form = await readForm(request);
    const rejected = await submitForm(form, () => locals.admin.call(ADMIN_ROUTES.revokeAllSessions, {}));
    if (isActionFailure(rejected)) return rejected;
    locals.sealedCookies.clear('session');
    redirect(303, '/sign-in');
  },
} satisfies Actions;

/** Other sessions keep their order, newest first. */
function currentFirst(one: Session, other: Session): number {
  return Number(other.is_current) - Number(one.is_current);
}

function shown(session: Session) {
  return {
    id: session.id,
    device: deviceName(session.user_agent),
    userAgent: session.user_agent,
    address: session.address,
    createdAt: session.created_at,
    lastUsedAt: session.last_used_at,
    isCurrent: session.is_current,
  };
}
