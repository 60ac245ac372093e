import type { Context } from '../../context.ts';
import type { ProviderClient } from '../provider/identity-providers.ts';
import type { Provider } from '../settings/sso-settings.ts';
import { redirectUri } from './redirect-uri.ts';

/** The team's client at its provider, with the secret in plain text. */
export function providerClient(
  { encryption, dashboardUrl }: Pick<Context, 'encryption' | 'dashboardUrl'>,
  teamId: string,
  { issuer, clientId, clientSecret }: Provider,
): ProviderClient {
  return {
    issuer,
    clientId,
    clientSecret: encryption.decrypt(clientSecret, teamId).toString('utf8'),
    redirectUri: redirectUri(dashboardUrl, teamId),
  };
}
