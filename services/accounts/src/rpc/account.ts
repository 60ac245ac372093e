import type { Handlers } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeEmail } from '../members/change-email.ts';
import { updateProfile } from '../members/update-profile.ts';
import { createReauthenticationChallenge } from '../passkeys/challenges.ts';
import { changePassword } from '../passwords/change-password.ts';
import { confirmTotp, disableTotp, startTotp } from '../second-factor/change-totp.ts';
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts';
import { listSessions } from '../sessions/list-sessions.ts';
import { reauthenticate } from '../sessions/reauthenticate.ts';
import { revokeAllSessions } from '../sessions/revoke-all-sessions.ts';
import { revokeSession } from '../sessions/revoke-session.ts';
import { isSsoRequired } from '../sso/require-password-allowed.ts';
import { revokeOwnToken } from '../tokens/revoke-token.ts';
import { meToWire, nothing, sessionToWire } from './wire.ts';

/** Methods for a member's own account, available to every role. */
export function accountHandlers(context: Context) {
  const me = async (acting: ActingMember) => meToWire(acting, await isSsoRequired(context, acting));
  return {
    getMe: async (_request, { actor }) => me(await findActingMember(context, actor)),
    updateProfile: async (request, { actor }) => me(await updateProfile(context, actor, request)),
    changeEmail: async (request, { actor }) => me(await changeEmail(context, actor, request)),
    changePassword: (request, { actor }) => nothing(changePassword(context, actor, request)),
    startTotp: (request, { actor }) => startTotp(context, actor, request),
    confirmTotp: async (request, { actor }) => ({
      recovery_codes: await confirmTotp(context, actor, request),
    }),
    disableTotp: (request, { actor }) => nothing(disableTotp(context, actor, request)),
    replaceRecoveryCodes: async (request, { actor }) => ({
      recovery_codes: await replaceRecoveryCodes(context, actor, request),
    }),
    async reauthenticate({ current_password: currentPassword, passkey }, { actor }) {
      const at = await reauthenticate(context, actor, { currentPassword, passkey });
      return { authenticated_at: at.toISOString() };
    },
    createReauthenticationChallenge: async (_request, { actor }) => ({
      options: { ...(await createReauthenticationChallenge(context, actor)) },
    }),
    async listSessions(_request, { actor }) {
      const sessions = await listSessions(context, actor);
      return wholeList(sessions.map((session) => sessionToWire(session, actor.session_id)));
    },
    revokeSession: ({ session_id: sessionId }, { actor }) =>
      nothing(revokeSession(context, actor, { sessionId })),
    signOut: (_request, { actor }) =>
      nothing(
        actor.type === 'token'
          ? revokeOwnToken(context, actor)
          : revokeSession(context, actor, { sessionId: actor.session_id }),
      ),
    revokeAllSessions: (_request, { actor }) => nothing(revokeAllSessions(context, actor)),
  } satisfies Partial<Handlers<typeof contract>>;
}
