import { join } from 'node:path';
import type { ProcessName } from '@tollgate/bus/permissions/process-table';
import type { DatabaseOwner } from '@tollgate/contracts/databases';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { DataPaths } from '../data-dir.ts';
import { publicKeysOf, type Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import type { ServerUrls } from './servers.ts';
import type { ProcessSpec } from './supervised-process.ts';

const READY_PROBE_TIMEOUT_MS = 2_000;

/** The dashboard's server calls from this machine and sends the member's address. */
const LOOPBACK = '127.0.0.1/32,::1/128';

/** Ops listeners, one for each of Tollgate's own processes. */
export const OPS_PORT_COUNT = 8;

/**
 * Lists Tollgate's own processes on one machine, each with only the secrets that it reads, in start order. The processes
 * of a stage start together.
 */
export function listProcesses(options: {
  settings: Omit<Settings, 'mongodbUrl' | 'natsUrl'>;
  secrets: Secrets;
  paths: DataPaths;
  urls: ServerUrls;
  opsPorts: readonly number[];
  env: NodeJS.ProcessEnv;
}): ProcessSpec[][] {
  const { settings, secrets, paths, urls } = options;
  const opsPorts = [...options.opsPorts];
  const inherited = inheritedEnvironment(options.env);

  const ownProcess = (name: string, main: string, env: Record<string, string>): ProcessSpec => {
    const opsPort = opsPorts.pop();
    return {
      name,
      command: process.execPath,
      args: [join(CHECKOUT_DIR, main)],
      env: {
        ...inherited,
        NODE_ENV: 'production',
        LOG_LEVEL: settings.logLevel,
        OPS_PORT: String(opsPort),
        ...env,
      },
      isReady: () => isReadyAt(`http://127.0.0.1:${opsPort}/readyz`),
    };
  };
  const live = `http://localhost:${settings.livePort}`;
  const apiUrls = {
    LIVE_API_URL: inherited['LIVE_API_URL'] || live,
    SANDBOX_API_URL: inherited['SANDBOX_API_URL'] || `http://localhost:${settings.sandboxPort}`,
  };
  const docsBaseUrl = { DOCS_BASE_URL: inherited['DOCS_BASE_URL'] || `${live}/docs` };
  const busOf = (name: ProcessName) => ({ NATS_URL: urls.natsUrlOf(name), ...docsBaseUrl });
  const storesOf = (name: DatabaseOwner) => ({ ...busOf(name), MONGODB_URL: urls.mongodbUrlOf(name) });
  const { API_KEY_PEPPERS, INTERNAL_SIGNING_KEYS, ACTOR_PUBLIC_KEYS, signing } = secrets;
  const SIGNER_PUBLIC_KEYS = publicKeysOf(secrets);
  return [
    [
      ownProcess('accounts', 'services/accounts/src/main.ts', {
        ...storesOf('accounts'),
        ACCOUNTS_ENCRYPTION_KEYS: secrets.ACCOUNTS_ENCRYPTION_KEYS,
        ACTOR_SIGNING_KEY: secrets.ACTOR_SIGNING_KEY,
        ACTOR_PUBLIC_KEYS,
        SETUP_TOKEN: secrets.SETUP_TOKEN,
        SIGNING_KEYS: signing.accounts,
      }),
      ownProcess('applications', 'services/applications/src/main.ts', {
        ...storesOf('applications'),
        API_KEY_PEPPERS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.applications,
        SIGNER_PUBLIC_KEYS,
      }),
      ownProcess('payments', 'services/payments/src/main.ts', {
        ...storesOf('payments'),
        INTERNAL_SIGNING_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.payments,
        SANDBOX_API_URL: apiUrls.SANDBOX_API_URL,
      }),
      ownProcess('webhooks', 'services/webhooks/src/main.ts', {
        ...storesOf('webhooks'),
        WEBHOOK_ENCRYPTION_KEYS: secrets.WEBHOOK_ENCRYPTION_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNING_KEYS: signing.webhooks,
        SIGNER_PUBLIC_KEYS,
        // Receivers in development listen on this machine. Affects the sandbox only.
        WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'true',
      }),
      ownProcess('usage', 'services/usage/src/main.ts', {
        ...storesOf('usage'),
        ACTOR_PUBLIC_KEYS,
        SIGNER_PUBLIC_KEYS,
      }),
      ownProcess('audit', 'services/audit/src/main.ts', {
        ...storesOf('audit'),
        AUDIT_SIGNING_KEYS: secrets.AUDIT_SIGNING_KEYS,
        ACTOR_PUBLIC_KEYS,
        SIGNER_PUBLIC_KEYS,
      }),
    ],
    [
      ownProcess('gateway', 'gateway/src/main.ts', {
        ...busOf('gateway'),
        API_KEY_PEPPERS,
        INTERNAL_SIGNING_KEYS,
        SIGNING_KEYS: signing.gateway,
        SIGNER_PUBLIC_KEYS,
        LIVE_PORT: String(settings.livePort),
        SANDBOX_PORT: String(settings.sandboxPort),
        ADMIN_PORT: String(settings.adminPort),
        ...apiUrls,
        ADMIN_TRUSTED_PROXIES: LOOPBACK,
        USAGE_SPOOL_DIR: paths.usageSpoolDir,
      }),
    ],
    [
      ownProcess('dashboard', 'dashboard/src/server/main.ts', {
        PORT: String(settings.dashboardPort),
        ...docsBaseUrl,
        DASHBOARD_URL: dashboardUrl(settings, options.env),
        ADMIN_API_URL: `http://127.0.0.1:${settings.adminPort}`,
        ...apiUrls,
        SESSION_COOKIE_KEYS: secrets.SESSION_COOKIE_KEYS,
      }),
    ],
  ];
}

/** Public URL of the dashboard, which rejects requests for another host. */
export function dashboardUrl(settings: Pick<Settings, 'dashboardPort'>, env: NodeJS.ProcessEnv): string {
  return env['DASHBOARD_URL'] || `http://localhost:${settings.dashboardPort}`;
}

async function isReadyAt(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(READY_PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
