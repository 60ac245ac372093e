import { redirect } from '@sveltejs/kit';
import type { Session } from '@tollgate/contracts/accounts/account';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deviceName } from '#lib/people/device-name.ts';
import { formAction } from '#lib/server/form-action.ts';
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
    sessions: sessions.data
      .toSorted(currentFirst)
      .map((session) => ({ ...session, device: deviceName(session.user_agent) })),
    logins: logins.data.filter(({ status }) => status === 'active'),
    approvals: approvals.data,
  };
};

export const actions = {
  revoke: formAction(
    ADMIN_ROUTES.revokeSession,
    (form) => ({ session_id: form.text('session_id') }),
    'Session ended.',
  ),

  revokeLogin: formAction(
    ADMIN_ROUTES.revokeToken,
    (form) => ({ token_id: form.text('token_id') }),
    'Login revoked.',
  ),

  withdrawApproval: formAction(
    ADMIN_ROUTES.denyDeviceAuthorization,
    (form) => ({ user_code: form.text('user_code') }),
    'Approval withdrawn.',
  ),

  revokeAll: formAction(
    ADMIN_ROUTES.revokeAllSessions,
    () => ({}),
    (_, __, { locals }) => {
      locals.sealedCookies.clear('session');
      redirect(303, '/sign-in');
    },
  ),
} satisfies Actions;

/** Other sessions keep their order, newest first. */
function currentFirst(one: Session, other: Session): number {
  return Number(other.is_current) - Number(one.is_current);
}
