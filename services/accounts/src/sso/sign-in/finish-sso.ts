import type { finishSingleSignOn as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Origin } from '../../origin.ts';
import { UNKNOWN_AUTHENTICATION_TIME } from '../../sessions/session.ts';
import type { SignedIn } from '../../sign-in/sign-in.ts';
import { startSession } from '../../sign-in/start-session.ts';
import { isSameClient, type Provider, type SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';
import { admitMember } from './admit-member.ts';
import { type Authorization, bindingOf } from './authorization.ts';
import { providerClient } from './provider-client.ts';
import { recordSsoFailure } from './record-sso-failure.ts';
import { takeAuthorization } from './take-authorization.ts';

type FinishSsoRequest = Static<typeof contract.request> & Origin;

/**
 * Creates a session for the person whom the provider identified. The session is always a new one, and as recently authenticated as the
 * provider says. A failure is in the audit log of the team before it is reported. Throws `sso-failed`, and `conflict` when the team is full.
 */
export async function finishSso(context: Context, request: FinishSsoRequest): Promise<SignedIn> {
  try {
    return await signInWithResponse(context, request);
  } catch (error) {
    if (error instanceof Problem) await recordSsoFailure(context, request, error);
    throw error;
  }
}

async function signInWithResponse(context: Context, request: FinishSsoRequest): Promise<SignedIn> {
  const { team_id, browser_token, response } = request;
  const state = new URLSearchParams(response).get('state') ?? '';
  const authorization = await takeAuthorization(context, { team_id, state, browser_token });
  const settings = await context.ssoSettings.find(team_id);
  const { role_claim } = settings;
  const identity = await context.identityProviders.identify(
    providerClient(context, team_id, currentProvider(settings, authorization)),
    bindingOf(browser_token, state),
    {
      response,
      startedAt: authorization.created_at,
      mustAuthenticateAgain: authorization.must_authenticate_again,
      claimNames: role_claim === null ? [] : [role_claim],
    },
  );
  const { member, role } = await admitMember(context, settings, identity, request);
  const started = await startSession(context, member, request, {
    isNewDevice: false,
    method: 'single_sign_on',
    authenticatedAt: identity.authenticatedAt ?? UNKNOWN_AUTHENTICATION_TIME,
  });
  await context.ssoSettings.recordSignIn(settings, started.session.created_at);
  return { ...started, member, role };
}

/** The response must never be sent to another provider than the one that the browser was sent to. */
function currentProvider({ provider }: SsoSettings, authorization: Authorization): Provider {
  if (isSameClient(provider, authorization)) return provider;
  throw ssoFailed(
    'provider_changed',
    'An owner of the team changed the identity provider during this sign-in. Start it again.',
  );
}
