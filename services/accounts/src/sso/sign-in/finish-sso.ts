import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../../context.ts';
import type { MemberInTeam } from '../../members/member-in-team.ts';
import type { Origin } from '../../origin.ts';
import { type Session, UNKNOWN_AUTHENTICATION_TIME } from '../../sessions/session.ts';
import { startSession } from '../../sign-in/start-session.ts';
import { isSameClient, type Provider, type SsoSettings } from '../settings/sso-settings.ts';
import { ssoFailed } from '../sso-failed.ts';
import { admitMember } from './admit-member.ts';
import { type Authorization, bindingOf } from './authorization.ts';
import { providerClient } from './provider-client.ts';
import { recordSsoFailure } from './record-sso-failure.ts';
import { takeAuthorization } from './take-authorization.ts';

export interface FinishSsoRequest extends Origin {
  teamId: string;
  browserToken: string;
  /** The query of the callback. */
  response: string;
}

type Finished = MemberInTeam & { session: Session; token: string };

/**
 * Creates a session for the person whom the provider identified. The session is always a new one, and as recently authenticated as the
 * provider says. A failure is in the audit log of the team before it is reported. Throws `sso-failed`, and `conflict` when the team is full.
 */
export async function finishSso(context: Context, request: FinishSsoRequest): Promise<Finished> {
  try {
    return await signInWithResponse(context, request);
  } catch (error) {
    if (error instanceof Problem) await recordSsoFailure(context, request, error);
    throw error;
  }
}

async function signInWithResponse(context: Context, request: FinishSsoRequest): Promise<Finished> {
  const { teamId, browserToken, response } = request;
  const state = new URLSearchParams(response).get('state') ?? '';
  const authorization = await takeAuthorization(context, { teamId, state, browserToken });
  const settings = await context.ssoSettings.find(teamId);
  const { claim } = settings.roles;
  const identity = await context.identityProviders.identify(
    providerClient(context, teamId, currentProvider(settings, authorization)),
    bindingOf(browserToken, state),
    {
      response,
      startedAt: authorization.createdAt,
      mustAuthenticateAgain: authorization.mustAuthenticateAgain,
      claimNames: claim === null ? [] : [claim],
    },
  );
  const { member, role } = await admitMember(context, settings, identity, request);
  const started = await startSession(context, member, request, {
    isNewDevice: false,
    method: 'single_sign_on',
    authenticatedAt: identity.authenticatedAt ?? UNKNOWN_AUTHENTICATION_TIME,
  });
  await context.ssoSettings.recordSignIn(settings, started.session.createdAt);
  return { ...started, member, role };
}

/** The response must never be sent to another provider than the one that the browser was sent to. */
function currentProvider({ provider }: SsoSettings, authorization: Authorization): Provider {
  if (provider && isSameClient(provider, authorization)) return provider;
  throw ssoFailed(
    'provider_changed',
    'An owner of the team changed the identity provider during this sign-in. Start it again.',
  );
}
