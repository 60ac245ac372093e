import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { embeddedMongoDBCommand, embeddedMongoDBUrl } from '@tollgate/local-servers/embedded-mongodb';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import type { NatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { natsIsReady, prepareNatsServer } from '@tollgate/local-servers/nats-server/nats-process';
import { portAnswers } from '@tollgate/local-servers/port-answers';
import type { DataPaths } from './data-dir.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { ProcessSpec } from './supervised-process.ts';

const READY_PROBE_TIMEOUT_MS = 2_000;

/** What of the launcher's own environment its processes must not see: another service's secrets, and npm's settings. */
const WITHHELD = new Set([
  'API_KEY_PEPPERS',
  'INTERNAL_SIGNING_KEYS',
  'ACTOR_SIGNING_KEY',
  'ACTOR_PUBLIC_KEYS',
  'WEBHOOK_ENCRYPTION_KEYS',
  'AUDIT_SIGNING_KEYS',
  'SESSION_COOKIE_KEYS',
  'NATS_URL',
  'MONGODB_URL',
  'HOST',
  'PORT',
  'OPS_HOST',
  'OPS_PORT',
  'NODE_CHANNEL_FD',
]);

export interface PlatformProcesses {
  /** In the order of their start; those of one stage start together. */
  stages: ProcessSpec[][];
  mongodbUrl: string;
  natsUrl: string;
}

/**
 * What runs on one machine, and which secrets each process gets: those that it reads, and no others.
 * @param server null when `NATS_URL` names one that runs elsewhere
 */
export async function listProcesses(options: {
  settings: Settings;
  secrets: Secrets;
  paths: DataPaths;
  server: NatsServer | null;
  env: NodeJS.ProcessEnv;
}): Promise<PlatformProcesses> {
  const { settings, secrets, paths, server } = options;
  const [mongodbPort, natsPort, ...opsPorts] = (await findFreePorts(5)) as [number, number, ...number[]];
  const inherited = inheritedEnvironment(options.env);

  const servers: ProcessSpec[] = [];
  let { mongodbUrl, natsUrl } = settings;
  if (mongodbUrl === '') {
    mongodbUrl = embeddedMongoDBUrl({ port: mongodbPort, ...secrets.mongodb });
    servers.push(mongodbProcess({ port: mongodbPort, secrets, paths, inherited }));
  }
  if (natsUrl === '') {
    if (server === null) throw new Error('A nats-server is needed unless NATS_URL is set.');
    natsUrl = `nats://${secrets.nats.user}:${secrets.nats.password}@127.0.0.1:${natsPort}`;
    servers.push(await natsProcess({ port: natsPort, server, secrets, paths, inherited }));
  }

  const service = (name: string, folder: string, index: number, env: Record<string, string>): ProcessSpec => {
    const opsPort = opsPorts[index];
    return {
      name,
      command: process.execPath,
      args: [join(CHECKOUT_DIR, folder, 'src/main.ts')],
      env: {
        ...inherited,
        NODE_ENV: 'production',
        LOG_LEVEL: settings.logLevel,
        OPS_PORT: String(opsPort),
        DOCS_BASE_URL: inherited['DOCS_BASE_URL'] ?? `http://localhost:${settings.livePort}/docs`,
        NATS_URL: natsUrl,
        ...env,
      },
      isReady: () => answersReady(`http://127.0.0.1:${opsPort}/readyz`),
    };
  };
  const { API_KEY_PEPPERS, INTERNAL_SIGNING_KEYS, ACTOR_PUBLIC_KEYS } = secrets;
  return {
    mongodbUrl,
    natsUrl,
    stages: [
      servers,
      [
        service('applications', 'services/applications', 0, {
          MONGODB_URL: mongodbUrl,
          API_KEY_PEPPERS,
          ACTOR_PUBLIC_KEYS,
        }),
        service('payments', 'services/payments', 1, {
          MONGODB_URL: mongodbUrl,
          INTERNAL_SIGNING_KEYS,
          ACTOR_PUBLIC_KEYS,
        }),
      ],
      [
        service('gateway', 'gateway', 2, {
          API_KEY_PEPPERS,
          INTERNAL_SIGNING_KEYS,
          LIVE_PORT: String(settings.livePort),
          SANDBOX_PORT: String(settings.sandboxPort),
        }),
      ],
    ],
  };
}

interface ServerOptions {
  port: number;
  secrets: Secrets;
  paths: DataPaths;
  inherited: Record<string, string>;
}

function mongodbProcess({ port, secrets, paths, inherited }: ServerOptions): ProcessSpec {
  const path = join(paths.mongodbDir, 'data.db');
  const { command, args, env } = embeddedMongoDBCommand({ port, path, ...secrets.mongodb });
  return {
    name: 'mongodb',
    command,
    args,
    env: { ...inherited, ...env },
    isReady: () => portAnswers(port),
  };
}

async function natsProcess({
  port,
  server,
  secrets,
  paths,
  inherited,
}: ServerOptions & { server: NatsServer }): Promise<ProcessSpec> {
  const settings = { folder: paths.natsDir, port, ...secrets.nats };
  const { command, args } = await prepareNatsServer(server, settings);
  return { name: 'nats', command, args, env: inherited, isReady: () => natsIsReady(port) };
}

function inheritedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !WITHHELD.has(entry[0]) && !entry[0].startsWith('npm_'),
    ),
  );
}

async function answersReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(READY_PROBE_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
