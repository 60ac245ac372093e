import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import type { Context } from '../context.ts';
import { setUp } from '../installation/set-up.ts';
import { acceptInvitation } from '../invitations/accept-invitation.ts';
import { findInvitation } from '../invitations/find-invitation.ts';
import { notifyOfTampering } from '../notices/notify-of-tampering.ts';
import { createSignInChallenge } from '../passkeys/challenges.ts';
import { requestResetLink } from '../passwords/request-reset-link.ts';
import { findResetLink } from '../passwords/reset-link.ts';
import { resetOwner } from '../passwords/reset-owner.ts';
import { resetPassword } from '../passwords/reset-password.ts';
import { issueActorToken } from '../sessions/issue-actor-token.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { signInWithPasskey } from '../sign-in/sign-in-with-passkey.ts';
import { finishSso } from '../sso/sign-in/finish-sso.ts';
import { startSso } from '../sso/sign-in/start-sso.ts';
import { issueTokenActor } from '../tokens/issue-token-actor.ts';
import { reportLeakedToken } from '../tokens/report-leaked-token.ts';
import { apiTokenToWire, memberToWire, signedInToWire, teamToWire } from './wire.ts';

/**
 * Methods for callers without an actor token. The secrets in the request are the only proof of identity, except for `resetOwner` and
 * `notifyOfTampering`: only the NATS users of the operator and of the audit service may call them.
 */
export function entryHandlers(context: Context) {
  return {
    getInstallation: async () => ({
      is_set_up: await context.installation.isSetUp(),
      sends_mail: context.sendsMail,
    }),
    async setUp(request, call) {
      const { team, owner } = await setUp(context, withId(request, call));
      return { team: teamToWire(team), member: memberToWire(owner) };
    },
    signIn: async (request, call) => signedInToWire(await signIn(context, withId(request, call))),
    createPasskeyChallenge: async () => ({ options: { ...(await createSignInChallenge(context)) } }),
    signInWithPasskey: async (request, call) =>
      signedInToWire(await signInWithPasskey(context, withId(request, call))),
    startSingleSignOn: (request) => startSso(context, request),
    finishSingleSignOn: async (request, call) =>
      signedInToWire(await finishSso(context, withId(request, call))),
    async issueActorToken({ session_token, is_use = true, proof_key: proofKey = null, ...origin }, call) {
      const given = { sessionToken: session_token, isUse: is_use, subjects: call.actorFor, proofKey };
      const issued = await issueActorToken(context, withId({ ...given, ...origin }, call));
      const { actorToken, requiresProof, session } = issued;
      return {
        actor_token: actorToken,
        requires_proof: requiresProof,
        session_id: session._id,
        team_id: session.team_id,
        member: memberToWire(issued),
      };
    },
    async issueTokenActor({ credential, is_use = true, ...origin }, call) {
      const given = { credential, isUse: is_use, subjects: call.actorFor };
      const { actorToken, token } = await issueTokenActor(context, withId({ ...given, ...origin }, call));
      return { actor_token: actorToken, team_id: token.team_id, token: apiTokenToWire(token, 'active') };
    },
    reportLeakedToken: async (request) => ({ is_known: await reportLeakedToken(context, request) }),
    notifyOfTampering: ({ entry }) => nothing(notifyOfTampering(context, entry)),
    async getInvitation({ token }) {
      const { team, invitation } = await findInvitation(context, token);
      const { email, role, expires_at } = invitation;
      return { team_name: team.name, email, role, expires_at: expires_at.toISOString() };
    },
    acceptInvitation: async (request, call) =>
      memberToWire(await acceptInvitation(context, withId(request, call))),
    requestResetLink: (request, call) => nothing(requestResetLink(context, withId(request, call))),
    async getResetLink({ token }) {
      const { member, link } = await findResetLink(context, token);
      // Null only for a removed member, whose link is not found.
      return { email: member.email ?? '', expires_at: link.expires_at.toISOString() };
    },
    resetPassword: (request, call) => nothing(resetPassword(context, withId(request, call))),
    async resetOwner(request) {
      const { team, member, token, link } = await resetOwner(context, request);
      return {
        token,
        expires_at: link.expires_at.toISOString(),
        team_name: team.name,
        totp_enabled: member.totp !== null,
        passkey_count: member.passkeys.length,
      };
    },
  } satisfies Partial<Handlers<typeof contract>>;
}

/** A request with the id of the admin request that it is part of. */
function withId<Request>(request: Request, { requestId }: { requestId: string | null }) {
  return { ...request, request_id: requestId };
}
