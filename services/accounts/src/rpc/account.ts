import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeEmail } from '../members/change-email.ts';
import { updateProfile } from '../members/update-profile.ts';
import { createReauthenticationChallenge } from '../passkeys/create-reauthentication-challenge.ts';
import { changePassword } from '../passwords/change-password.ts';
import { confirmTotp } from '../second-factor/confirm-totp.ts';
import { disableTotp } from '../second-factor/disable-totp.ts';
import { replaceRecoveryCodes } from '../second-factor/replace-recovery-codes.ts';
import { startTotp } from '../second-factor/start-totp.ts';
import { listSessions } from '../sessions/list-sessions.ts';
import { reauthenticate } from '../sessions/reauthenticate.ts';
import { revokeAllSessions } from '../sessions/revoke-all-sessions.ts';
import { revokeSession } from '../sessions/revoke-session.ts';
import { isSsoRequired } from '../sso/require-password-allowed.ts';
import { revokeOwnToken } from '../tokens/revoke-token.ts';
import { meToWire, sessionToWire } from './wire.ts';

/** Methods for a member's own account, available to every role. */
export function serveAccountRpc(serve: ServeRpc, context: Context) {
  const me = async (acting: ActingMember) =>
    meToWire(acting, { isSsoRequired: await isSsoRequired(context, acting) });
  return [
    serve(contract.getMe, async (_request, { actor }) => me(await findActingMember(context, actor))),
    serve(contract.updateProfile, async ({ name, team_mail_topics: mailTopics }, { actor }) =>
      me(await updateProfile(context, actor, { name, mailTopics })),
    ),
    serve(contract.changeEmail, async ({ current_password, email }, { actor }) =>
      me(await changeEmail(context, actor, { currentPassword: current_password, email })),
    ),
    serve(contract.changePassword, async ({ current_password, new_password }, { actor }) => {
      await changePassword(context, actor, {
        currentPassword: current_password,
        newPassword: new_password,
      });
      return {};
    }),
    serve(contract.startTotp, (request, { actor }) =>
      startTotp(context, actor, { currentPassword: request.current_password }),
    ),
    serve(contract.confirmTotp, async (request, { actor }) => ({
      recovery_codes: await confirmTotp(context, actor, request),
    })),
    serve(contract.disableTotp, async (request, { actor }) => {
      await disableTotp(context, actor, { currentPassword: request.current_password });
      return {};
    }),
    serve(contract.replaceRecoveryCodes, async (request, { actor }) => ({
      recovery_codes: await replaceRecoveryCodes(context, actor, {
        currentPassword: request.current_password,
      }),
    })),
    serve(contract.reauthenticate, async ({ current_password: currentPassword, passkey }, { actor }) => {
      const at = await reauthenticate(context, actor, { currentPassword, passkey });
      return { authenticated_at: at.toISOString() };
    }),
    serve(contract.createReauthenticationChallenge, async (_request, { actor }) => ({
      options: { ...(await createReauthenticationChallenge(context, actor)) },
    })),
    serve(contract.listSessions, async (_request, { actor }) => {
      const sessions = await listSessions(context, actor);
      return wholeList(sessions.map((session) => sessionToWire(session, actor.session_id)));
    }),
    serve(contract.revokeSession, async (request, { actor }) => {
      await revokeSession(context, actor, { sessionId: request.session_id });
      return {};
    }),
    serve(contract.signOut, async (_request, { actor }) => {
      if (actor.type === 'token') await revokeOwnToken(context, actor);
      else await revokeSession(context, actor, { sessionId: actor.session_id });
      return {};
    }),
    serve(contract.revokeAllSessions, async (_request, { actor }) => {
      await revokeAllSessions(context, actor);
      return {};
    }),
  ];
}
