import { type Handlers, nothing } from '@tollgate/bus/rpc';
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
import { revokeAllSessions } from '../sessions/end-sessions.ts';
import { reauthenticate } from '../sessions/reauthenticate.ts';
import { revokeSession } from '../sessions/revoke-session.ts';
import { isLive } from '../sessions/session.ts';
import { isSsoRequired } from '../sso/require-password-allowed.ts';
import { revokeOwnToken } from '../tokens/revoke-token.ts';
import { meToWire, sessionToWire } from './wire.ts';

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
    async reauthenticate(request, { actor }) {
      const at = await reauthenticate(context, actor, request);
      return { authenticated_at: at.toISOString() };
    },
    createReauthenticationChallenge: async (_request, { actor }) => ({
      options: { ...(await createReauthenticationChallenge(context, actor)) },
    }),
    /** The active ones, newest first. */
    async listSessions(_request, { actor }) {
      const { member } = await findActingMember(context, actor);
      const { _id, team_id, session_epoch } = member;
      const now = new Date(context.clock.now());
      const found = await context.sessions.list(team_id, _id, session_epoch, now);
      const live = found.filter((session) => isLive(session, session_epoch, now));
      return wholeList(live.map((session) => sessionToWire(session, actor.session_id)));
    },
    revokeSession: (request, { actor }) => nothing(revokeSession(context, actor, request)),
    signOut: (_request, { actor }) =>
      nothing(actor.type === 'token' ? revokeOwnToken(context, actor) : revokeSession(context, actor, actor)),
    revokeAllSessions: (_request, { actor }) => nothing(revokeAllSessions(context, actor)),
  } satisfies Partial<Handlers<typeof contract>>;
}
