import type { Context } from '../../context.ts';
import type { ProviderClient } from '../provider/identity-providers.ts';
import type { Provider } from '../settings/sso-settings.ts';
import { redirectUri } from './redirect-uri.ts';

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
