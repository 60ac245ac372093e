import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { commandLineVariables } from '@tollgate/configuration/command-line';
import { newSecret } from '@tollgate/processor-adapter/contract/signature';
import { type Terminal, UsageError } from '../command.ts';
import { createApiClient } from './api-client.ts';
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts';
import { readEnvironment } from './read-environment.ts';

export interface Login {
  credentials: Credentials;
  api: AdminClient;
  /** Null for the login of a script, which is stored nowhere. */
  store: ((changed: Credentials) => Promise<unknown>) | null;
}

/**
 * The login of `tollgate login`. With `TOLLGATE_API_TOKEN`, scripts need none.
 *
 * @throws UsageError without both
 */
export async function requireLogin({ env }: Terminal): Promise<Login> {
  const ofScript = fromEnvironment(env);
  const credentials = ofScript ?? (await readCredentials(env));
  if (!credentials) throw new UsageError('You are not signed in. Run tollgate login.');
  return {
    credentials,
    api: createApiClient(credentials.admin_api_url, credentials.token),
    store: ofScript ? null : (changed) => writeCredentials(env, changed),
  };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Credentials | null {
  const { apiToken, ...others } = commandLineVariables;
  const { apiToken: token } = readEnvironment(env, { apiToken });
  if (token === '') return null;
  const { adminUrl, liveUrl, sandboxUrl, webhookSecret } = readEnvironment(env, others);
  return {
    admin_api_url: adminUrl,
    live_api_url: liveUrl,
    sandbox_api_url: sandboxUrl,
    token,
    team: { id: '', name: '' },
    webhook_secret: webhookSecret || newSecret(),
    api_keys: {},
  };
}
