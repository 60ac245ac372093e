import { newSecret } from '@tollgate/processor-adapter/contract/signature';
import { type Terminal, UsageError } from '../command.ts';
import { readSecret } from '../read-secret.ts';
import { type AdminApi, createAdminApi } from './admin-api.ts';
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts';

export interface Login {
  credentials: Credentials;
  api: AdminApi;
  /** Null for the login of a script, which is stored nowhere. */
  store: ((changed: Credentials) => Promise<unknown>) | null;
}

/** Addresses of `npm start`. */
const LOCAL = {
  admin_api_url: 'http://localhost:8082',
  live_api_url: 'http://localhost:8080',
  sandbox_api_url: 'http://localhost:8081',
};

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
    api: createAdminApi(credentials.admin_api_url, credentials.token),
    store: ofScript ? null : (changed) => writeCredentials(env, changed),
  };
}

function fromEnvironment(env: NodeJS.ProcessEnv): Credentials | null {
  const token = readSecret(env, 'TOLLGATE_API_TOKEN');
  if (!token) return null;
  return {
    admin_api_url: env['TOLLGATE_ADMIN_URL'] || LOCAL.admin_api_url,
    live_api_url: env['TOLLGATE_LIVE_URL'] || LOCAL.live_api_url,
    sandbox_api_url: env['TOLLGATE_SANDBOX_URL'] || LOCAL.sandbox_api_url,
    token,
    team: { id: '', name: '' },
    webhook_secret: readSecret(env, 'TOLLGATE_WEBHOOK_SECRET') || newSecret(),
    api_keys: {},
  };
}
