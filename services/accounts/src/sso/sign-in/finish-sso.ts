import type { Context } from '../../context.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import { digestToken } from '../../opaque-token.ts';
import type { Origin } from '../../origin.ts';
import type { Session } from '../../sessions/session.ts';
import { startSession } from '../../sign-in/start-session.ts';
import { isSameClient, type Provider, type SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';
import { admitMember } from './admit-member.ts';
import { type Authorization, bindingOf } from './authorization.ts';
import { providerClient } from './provider-client.ts';

export interface FinishSsoRequest extends Origin {
  teamId: string;
  browserToken: string;
  /** The query of the callback. */
  response: string;
}

/**
 * Creates a session for the person whom the provider identified. The session is always a new one. Throws `sso-failed`, and `conflict`
 * when the team is full.
 */
export async function finishSso(
  context: Context,
  request: FinishSsoRequest,
): Promise<MemberInTeam & { session: Session; token: string }> {
  const { teamId, browserToken, response } = request;
  const state = new URLSearchParams(response).get('state') ?? '';
  const authorization = await takeAuthorization(context, { teamId, state, browserToken });
  const settings = await context.ssoSettings.find(teamId);
  const { claim } = settings.roles;
  const identity = await context.identityProviders.identify(
    providerClient(context, teamId, currentProvider(settings, authorization)),
    bindingOf(browserToken, state),
    { response, startedAt: authorization.createdAt, claimNames: claim === null ? [] : [claim] },
  );
  const { member, role } = await admitMember(context, settings, identity, request);
  const started = await startSession(context, member, request, {
    isNewDevice: false,
    method: 'single_sign_on',
  });
  await context.ssoSettings.recordSignIn(settings, started.session.createdAt);
  return { ...started, member, role };
}

/** An authorization is used once, by the browser that started it. */
async function takeAuthorization(
  context: Context,
  { teamId, state, browserToken }: { teamId: string; state: string; browserToken: string },
): Promise<Authorization> {
  const authorization = await context.ssoAuthorizations.take({
    teamId,
    stateDigest: digestToken(state),
    browserTokenDigest: digestToken(browserToken),
  });
  if (authorization && authorization.expiresAt.getTime() > context.clock.now()) return authorization;
  throw ssoFailed(
    'This sign-in was already used, has expired, or was started in another browser. Start it again.',
  );
}

/** The response must never be sent to another provider than the one that the browser was sent to. */
function currentProvider({ provider }: SsoSettings, authorization: Authorization): Provider {
  if (provider && isSameClient(provider, authorization)) return provider;
  throw ssoFailed('An owner of the team changed the identity provider during this sign-in. Start it again.');
}
