import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import type { NatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import type { DataPaths } from '../data-dir.ts';
import { publicKeysOf, type Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import { mongodbProcess, natsProcess } from './server-processes.ts';
import type { ProcessSpec } from './supervised-process.ts';

const READY_PROBE_TIMEOUT_MS = 2_000;

/** The dashboard's server calls from this machine and sends the member's address. */
const LOOPBACK = '127.0.0.1/32,::1/128';

export interface PlatformProcesses {
  /** In start order. The processes of a stage start together. */
  stages: ProcessSpec[][];
  mongodbUrl: string;
  natsUrl: string;
}

/**
 * Lists the processes of one machine, each with only the secrets that it reads.
 * @param server null if `NATS_URL` points to another server
 */
export async function listProcesses(options: {
  settings: Settings;
  secrets: Secrets;
  paths: DataPaths;
  server: NatsServer | null;
  env: NodeJS.ProcessEnv;
}): Promise<PlatformProcesses> {
  const { settings, secrets, paths, server } = options;
  const [mongodbPort, natsPort, ...opsPorts] = (await findFreePorts(11)) as [number, number, ...number[]];
  const inherited = inheritedEnvironment(options.env);

  const servers: ProcessSpec[] = [];
  let { mongodbUrl, natsUrl } = settings;
  if (mongodbUrl === '') {
    mongodbUrl = embeddedMongoDBUrl({ port: mongodbPort, ...secrets.mongodb });
    servers.push(mongodbProcess({ port: mongodbPort, secrets, paths, inherited }));
  }
  if (natsUrl === '') {
    if (server === null) throw new Error('A nats-server is required unless NATS_URL is set.');
    natsUrl = `nats://${secrets.nats.user}:${secrets.nats.password}@127.0.0.1:${natsPort}`;
    servers.push(await natsProcess({ port: natsPort, server, secrets, paths, inherited }));
  }

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
  const nats = { NATS_URL: natsUrl, ...docsBaseUrl };
  const stores = { ...nats, MONGODB_URL: mongodbUrl };
  const { API_KEY_PEPPERS, INTERNAL_SIGNING_KEYS, ACTOR_PUBLIC_KEYS, signing } = secrets;
  const SIGNER_PUBLIC_KEYS = publicKeysOf(secrets);
  return {
    mongodbUrl,
    natsUrl,
    stages: [
      servers,
      [
        ownProcess('accounts', 'services/accounts/src/main.ts', {
          ...stores,
          ACCOUNTS_ENCRYPTION_KEYS: secrets.ACCOUNTS_ENCRYPTION_KEYS,
          ACTOR_SIGNING_KEY: secrets.ACTOR_SIGNING_KEY,
          ACTOR_PUBLIC_KEYS,
          SETUP_TOKEN: secrets.SETUP_TOKEN,
          SIGNING_KEYS: signing.accounts,
        }),
        ownProcess('applications', 'services/applications/src/main.ts', {
          ...stores,
          API_KEY_PEPPERS,
          ACTOR_PUBLIC_KEYS,
          SIGNING_KEYS: signing.applications,
          SIGNER_PUBLIC_KEYS,
        }),
        ownProcess('payments', 'services/payments/src/main.ts', {
          ...stores,
          INTERNAL_SIGNING_KEYS,
          ACTOR_PUBLIC_KEYS,
          SIGNING_KEYS: signing.payments,
        }),
        ownProcess('webhooks', 'services/webhooks/src/main.ts', {
          ...stores,
          WEBHOOK_ENCRYPTION_KEYS: secrets.WEBHOOK_ENCRYPTION_KEYS,
          ACTOR_PUBLIC_KEYS,
          SIGNING_KEYS: signing.webhooks,
          SIGNER_PUBLIC_KEYS,
          // Receivers in development listen on this machine. Affects the sandbox only.
          WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'true',
        }),
        ownProcess('usage', 'services/usage/src/main.ts', {
          ...stores,
          ACTOR_PUBLIC_KEYS,
          SIGNER_PUBLIC_KEYS,
        }),
        ownProcess('audit', 'services/audit/src/main.ts', {
          ...stores,
          AUDIT_SIGNING_KEYS: secrets.AUDIT_SIGNING_KEYS,
          ACTOR_PUBLIC_KEYS,
          SIGNER_PUBLIC_KEYS,
        }),
      ],
      [
        ownProcess('gateway', 'gateway/src/main.ts', {
          ...nats,
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
          DASHBOARD_URL: dashboardUrl(settings, options.env),
          ADMIN_API_URL: `http://127.0.0.1:${settings.adminPort}`,
          ...apiUrls,
          SESSION_COOKIE_KEYS: secrets.SESSION_COOKIE_KEYS,
        }),
      ],
    ],
  };
}

/** Public URL of the dashboard, which rejects requests for another host. */
export function dashboardUrl(settings: Settings, env: NodeJS.ProcessEnv): string {
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
