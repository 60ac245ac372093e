import type { Context } from '../../context.ts';
import type { ProviderClient } from '../provider/identity-providers.ts';
import type { Provider } from '../settings/sso-settings.ts';

/** The team's client at its provider, with the secret in plain text. */
export function providerClient(
  { encryption, dashboardUrl }: Pick<Context, 'encryption' | 'dashboardUrl'>,
  teamId: string,
  { issuer, client_id, client_secret }: Provider,
): ProviderClient {
  return {
    issuer,
    clientId: client_id,
    clientSecret: encryption.decrypt(client_secret, teamId).toString('utf8'),
    redirectUri: redirectUri(dashboardUrl, teamId),
  };
}

/**
 * Each team has its own, so that the response of one provider is never sent to another, even if a provider returns no `iss`
 * parameter (RFC 9700 §4.4.2.2).
 */
export function redirectUri(dashboardUrl: string, teamId: string): string {
  return `${dashboardUrl}/sso/callback/${teamId}`;
}
