import { isActionFailure, redirect } from '@sveltejs/kit';
import type { Session } from '@tollgate/contracts/accounts/account';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deviceName } from '#lib/people/device-name.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

/** Five times as many as can be active: the newest ones contain them in practice. */
const SHOWN_LOGINS = 5 * API_TOKEN_LIMITS.activeLoginTokensPerMember;

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  const [sessions, logins, approvals] = await Promise.all([
    locals.admin.call(ADMIN_ROUTES.listSessions, {}),
    locals.admin.call(ADMIN_ROUTES.listTokens, { acts_for: me.id, limit: SHOWN_LOGINS }),
    locals.admin.call(ADMIN_ROUTES.listDeviceAuthorizations, {}),
  ]);
  return {
    sessions: sessions.data.toSorted(currentFirst).map(shown),
    logins: logins.data.filter(({ status }) => status === 'active'),
    approvals: approvals.data,
  };
};

export const actions = {
  revoke: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.revokeSession, { session_id: form.text('session_id') });
      return { done: 'Session ended.' };
    });
  },

  revokeLogin: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.revokeToken, { token_id: form.text('token_id') });
      return { done: 'Login revoked.' };
    });
  },

  withdrawApproval: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const login = { user_code: form.text('user_code') };
      await locals.admin.call(ADMIN_ROUTES.denyDeviceAuthorization, login);
      return { done: 'Approval withdrawn.' };
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
