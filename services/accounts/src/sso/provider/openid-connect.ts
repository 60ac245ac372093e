import { createHash } from 'node:crypto';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { CheckedFetch } from '@tollgate/outbound/checked-fetch';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import * as client from 'openid-client';
import { ssoFailed } from '../sso-failed.ts';
import { createDiscovery } from './discovery.ts';
import { explainFailure } from './explain-failure.ts';
import type { Identity, IdentityProviders, ProviderClient, ResponseBinding } from './identity-providers.ts';
import { issuerProblem, requireEndpoints } from './issuer-problem.ts';
import { authenticationTime, requireIssuedForSignIn, requireNewAuthentication } from './token-times.ts';
import { withDeadline } from './with-deadline.ts';

/** Clocks of servers that synchronize differ by less. A larger tolerance would accept tokens that expired long ago. */
export const CLOCK_TOLERANCE_S = 60;
const SCOPE = 'openid email profile';
/**
 * The person must authenticate, whatever session the provider has, and the ID token must say when (OpenID Connect Core 1.0 §3.1.2.1).
 * Not `prompt=login`: the ID token may then lack the time.
 */
const AUTHENTICATE_AGAIN = { max_age: '0' };

export interface OpenIdConnectOptions {
  fetch: CheckedFetch;
  allowsHttp: boolean;
  close(): Promise<void>;
  clock: Clock;
  logger: Logger;
}

/** OpenID Connect with the authorization code flow, PKCE, and a check of the ID token's signature. */
export function createOpenIdConnect(options: OpenIdConnectOptions): IdentityProviders {
  const { allowsHttp, clock, logger } = options;
  const discovery = createDiscovery(options);

  /**
   * A new configuration for each sign-in: it has no cached keys, so that a rotated key works, and a withdrawn one does not, from
   * the next sign-in on.
   */
  async function configure({
    issuer,
    clientId,
    clientSecret,
  }: ProviderClient): Promise<client.Configuration> {
    const fetch = withDeadline(options.fetch);
    const metadata = await discovery.find(issuer, fetch);
    const configuration = new client.Configuration(
      metadata,
      clientId,
      {
        client_secret: clientSecret,
        [client.clockTolerance]: CLOCK_TOLERANCE_S,
        // The library reads the clock of the machine; all checks must use the injected one.
        [client.clockSkew]: Math.round((clock.now() - Date.now()) / SECOND_MS),
      },
      clientAuthentication(metadata, clientSecret),
    );
    configuration[client.customFetch] = fetch;
    if (allowsHttp) client.allowInsecureRequests(configuration);
    // Without it, the library relies on TLS to the token endpoint alone (Core 1.0 §3.1.3.7, step 6).
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  }

  async function explained<Result>(issuer: string, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      const { problem, logged } = explainFailure(error);
      logger.warn({ url: issuer, ...logged }, 'single sign-on failed');
      throw problem;
    }
  }

  return {
    allowsHttp,

    async checkIssuer(issuer) {
      const metadata = await discovery.read(issuer, withDeadline(options.fetch)).catch((error: unknown) => {
        logger.warn(
          { url: issuer, ...explainFailure(error).logged },
          'rejected an issuer for single sign-on',
        );
        throw issuerProblem(error);
      });
      requireEndpoints(metadata);
    },

    authorizationUrl: (of, binding, { email, mustAuthenticateAgain }) =>
      explained(of.issuer, async () => {
        const url = client.buildAuthorizationUrl(await configure(of), {
          redirect_uri: of.redirectUri,
          scope: SCOPE,
          ...challenge(binding),
          login_hint: email,
          ...(mustAuthenticateAgain && AUTHENTICATE_AGAIN),
        });
        return url.href;
      }),

    identify: (of, { state, nonce, codeVerifier }, received) =>
      explained(of.issuer, async () => {
        const { response, startedAt, mustAuthenticateAgain, claimNames } = received;
        const configuration = await configure(of);
        const url = new URL(`${of.redirectUri}?${response}`);
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw ssoFailed('invalid_response', 'The identity provider returned no ID token.');
        const times = { startedAt, now: new Date(clock.now()), toleranceS: CLOCK_TOLERANCE_S };
        requireIssuedForSignIn(idToken, times);
        const authenticatedAt = authenticationTime(idToken, times);
        if (mustAuthenticateAgain) requireNewAuthentication(authenticatedAt, times);
        const claims = await withUserInfo(configuration, tokens.access_token, idToken, claimNames);
        return identityOf({ issuer: of.issuer, subject: idToken.sub, authenticatedAt }, claims);
      }),

    close: options.close,
  };
}

function challenge({ state, nonce, codeVerifier }: ResponseBinding): Record<string, string> {
  const digest = createHash('sha256').update(codeVerifier).digest('base64url');
  return { state, nonce, code_challenge: digest, code_challenge_method: 'S256' };
}

/** HTTP Basic, which every provider supports (RFC 6749 §2.3.1), unless the provider states otherwise. */
function clientAuthentication(metadata: client.ServerMetadata, clientSecret: string): client.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret);
}

/** Some providers keep the ID token small, and return the other claims only from the UserInfo endpoint (Core 1.0 §5.4). */
async function withUserInfo(
  configuration: client.Configuration,
  accessToken: string,
  idToken: client.IDToken,
  claimNames: readonly string[],
): Promise<Record<string, unknown>> {
  const isComplete = ['email', ...claimNames].every((name) => idToken[name] !== undefined);
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return idToken;
  // Rejects claims about another subject.
  const userInfo = await client.fetchUserInfo(configuration, accessToken, idToken.sub);
  return { ...userInfo, ...idToken };
}

function identityOf(
  known: Pick<Identity, 'issuer' | 'subject' | 'authenticatedAt'>,
  claims: Record<string, unknown>,
): Identity {
  const { email, name } = claims;
  return {
    ...known,
    email: typeof email === 'string' ? email : null,
    // An absent claim confirms nothing.
    isEmailVerified: claims['email_verified'] === true,
    name: typeof name === 'string' ? name : null,
    claims,
  };
}
