import type { Environment } from '@tollgate/contracts/environment';
import { dataPaths } from '@tollgate/launcher/data-dir';
import { listProcesses, OPS_PORT_COUNT } from '@tollgate/launcher/processes/processes';
import type { ServerUrls } from '@tollgate/launcher/processes/servers';
import type { ProcessSpec } from '@tollgate/launcher/processes/supervised-process';
import type { Secrets } from '@tollgate/launcher/secrets';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';

/** Sandbox payments settle after this delay. */
const SETTLEMENT_DELAY = '200ms';

/** The same as the launcher's. On a busy machine, starting Node alone takes seconds. */
export const START_TIMEOUT_MS = 60_000;

/** One process of a platform under test. It is not supervised: a killed process stays dead until the test starts it. */
export interface PlatformProcess {
  readonly pid: number | null;
  /** Address of its health and metrics. */
  readonly opsUrl: string;
  /** The lines that it has logged since its last start. */
  logLines(): Record<string, unknown>[];
  /** Starts the process, also after `stop` or `kill`, and waits until it is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export type ProcessName =
  | 'accounts'
  | 'applications'
  | 'payments'
  | 'webhooks'
  | 'usage'
  | 'audit'
  | 'gateway'
  | 'dashboard';

export interface PlatformSettings {
  secrets: Secrets;
  ports: Record<Environment | 'admin' | 'dashboard', number>;
  urls: ServerUrls;
  docsBaseUrl: string;
  /** An empty folder. */
  dataDir: string;
  /** Added to the environment of every process. */
  env?: Record<string, string>;
}

/** Describes a process as the launcher does, with a new ops port for each call. `env` is added to its environment. */
export async function describeProcess(
  name: ProcessName,
  settings: PlatformSettings,
  env: Record<string, string> = {},
): Promise<PlatformProcess> {
  return controlled(await processSpec(name, settings, env));
}

export async function processSpec(
  name: ProcessName,
  settings: PlatformSettings,
  env: Record<string, string> = {},
): Promise<ProcessSpec> {
  const { secrets, ports, urls, docsBaseUrl, dataDir } = settings;
  const stages = listProcesses({
    settings: {
      dataDir,
      livePort: ports.live,
      sandboxPort: ports.sandbox,
      adminPort: ports.admin,
      dashboardPort: ports.dashboard,
      logLevel: 'warn',
    },
    secrets,
    paths: dataPaths(dataDir),
    urls,
    opsPorts: await findFreePorts(OPS_PORT_COUNT),
    env: { ...process.env, SANDBOX_SETTLEMENT_DELAY: SETTLEMENT_DELAY, DOCS_BASE_URL: docsBaseUrl },
  });
  const spec = stages.flat().find((candidate) => candidate.name === name);
  if (!spec) throw new Error(`The launcher has no process named ${name}.`);
  return { ...spec, env: { ...spec.env, ...settings.env, ...env } };
}

function controlled(spec: ProcessSpec): PlatformProcess {
  let running: ChildServer | null = null;
  async function end(how: 'stop' | 'kill') {
    await running?.[how]();
    running = null;
  }
  return {
    get pid() {
      return running?.pid ?? null;
    },
    logLines: () =>
      (running?.output() ?? '')
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    opsUrl: `http://127.0.0.1:${spec.env['OPS_PORT']}`,
    async start() {
      running ??= await startChildServer({ ...spec, timeoutMs: START_TIMEOUT_MS });
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  };
}
