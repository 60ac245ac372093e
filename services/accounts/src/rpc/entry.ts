import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import type { Context } from '../context.ts';
import { setUp } from '../installation/set-up.ts';
import { acceptInvitation } from '../invitations/accept-invitation.ts';
import { findInvitation } from '../invitations/find-invitation.ts';
import { notifyOfTampering } from '../notices/notify-of-tampering.ts';
import type { Origin } from '../origin.ts';
import { createSignInChallenge } from '../passkeys/create-sign-in-challenge.ts';
import { findResetLink } from '../passwords/find-reset-link.ts';
import { requestResetLink } from '../passwords/request-reset-link.ts';
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
export function serveEntryRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.getInstallation, async () => ({
      is_set_up: await context.installation.isSetUp(),
      sends_mail: context.sendsMail,
    })),
    serve(contract.setUp, async ({ token, email, name, password, team_name, ...from }, { requestId }) => {
      const account = { token, email, name, password, teamName: team_name };
      const { team, owner } = await setUp(context, { ...account, ...originOf(from, requestId) });
      return { team: teamToWire(team), member: memberToWire(owner) };
    }),
    serve(
      contract.signIn,
      async ({ email, password, totp, recovery_code, passkey, device_token, member_id, ...from }, call) => {
        const given = {
          email,
          password,
          totp: totp ?? null,
          recoveryCode: recovery_code ?? null,
          passkey: passkey ?? null,
          deviceToken: device_token ?? null,
          memberId: member_id ?? null,
        };
        return signedInToWire(await signIn(context, { ...given, ...originOf(from, call.requestId) }));
      },
    ),
    serve(contract.createPasskeyChallenge, async () => ({
      options: { ...(await createSignInChallenge(context)) },
    })),
    serve(
      contract.startSingleSignOn,
      async ({ email, must_authenticate_again: mustAuthenticateAgain = false }) => {
        const started = await startSso(context, { email, mustAuthenticateAgain });
        const { authorizationUrl, browserToken, expiresAt } = started;
        return {
          authorization_url: authorizationUrl,
          browser_token: browserToken,
          expires_at: expiresAt.toISOString(),
        };
      },
    ),
    serve(
      contract.signInWithPasskey,
      async ({ passkey, device_tokens: deviceTokens = [], member_id, ...from }, { requestId }) => {
        const given = { passkey, deviceTokens, memberId: member_id ?? null };
        return signedInToWire(await signInWithPasskey(context, { ...given, ...originOf(from, requestId) }));
      },
    ),
    serve(
      contract.finishSingleSignOn,
      async ({ team_id: teamId, browser_token: browserToken, response, ...from }, { requestId }) => {
        const given = { teamId, browserToken, response, ...originOf(from, requestId) };
        const signedIn = await finishSso(context, given);
        const expiresAt = signedIn.session.expiresAt.toISOString();
        return { token: signedIn.token, expires_at: expiresAt, member: memberToWire(signedIn) };
      },
    ),
    serve(
      contract.issueActorToken,
      async ({ session_token, is_use = true, proof_key = null, ...from }, { requestId, actorFor }) => {
        const issued = await issueActorToken(context, {
          sessionToken: session_token,
          isUse: is_use,
          subjects: actorFor,
          proofKey: proof_key,
          ...originOf(from, requestId),
        });
        const { actorToken, requiresProof, session } = issued;
        return {
          actor_token: actorToken,
          requires_proof: requiresProof,
          session_id: session.id,
          team_id: session.teamId,
          member: memberToWire(issued),
        };
      },
    ),
    serve(
      contract.issueTokenActor,
      async ({ credential, is_use = true, ...from }, { requestId, actorFor }) => {
        const origin = originOf(from, requestId);
        const { actorToken, token } = await issueTokenActor(context, {
          credential,
          isUse: is_use,
          subjects: actorFor,
          ...origin,
        });
        return { actor_token: actorToken, team_id: token.teamId, token: apiTokenToWire(token, 'active') };
      },
    ),
    serve(contract.reportLeakedToken, async ({ lookup_id: lookupId, ...report }) => ({
      is_known: await reportLeakedToken(context, { lookupId, ...report }),
    })),
    serve(contract.notifyOfTampering, async ({ entry }) => {
      await notifyOfTampering(context, entry);
      return {};
    }),
    serve(contract.getInvitation, async ({ token }) => {
      const { team, invitation } = await findInvitation(context, token);
      const { email, role, expiresAt } = invitation;
      return { team_name: team.name, email, role, expires_at: expiresAt.toISOString() };
    }),
    serve(contract.acceptInvitation, async ({ token, name, password, ...from }, { requestId }) => {
      const accepted = { token, name, password, ...originOf(from, requestId) };
      return memberToWire(await acceptInvitation(context, accepted));
    }),
    serve(contract.requestResetLink, async ({ email, ...from }, { requestId }) => {
      await requestResetLink(context, { email, ...originOf(from, requestId) });
      return {};
    }),
    serve(contract.getResetLink, async ({ token }) => {
      const { member, link } = await findResetLink(context, token);
      // Null only for a removed member, whose link is not found.
      return { email: member.email ?? '', expires_at: link.expiresAt.toISOString() };
    }),
    serve(contract.resetPassword, async ({ token, password, ...from }, { requestId }) => {
      await resetPassword(context, { token, password, ...originOf(from, requestId) });
      return {};
    }),
    serve(contract.resetOwner, async ({ email, team_id: teamId, removes_totp: removesTotp }) => {
      const { team, member, token, link } = await resetOwner(context, { email, teamId, removesTotp });
      return {
        token,
        expires_at: link.expiresAt.toISOString(),
        team_name: team.name,
        totp_enabled: member.totp !== null,
        passkey_count: member.passkeys.length,
      };
    }),
  ];
}

function originOf(
  from: { address: string | null; user_agent: string | null },
  requestId: string | null,
): Origin {
  return { address: from.address, userAgent: from.user_agent, requestId };
}
