import type { Environment } from '@tollgate/contracts/platform/environment';
import { dataPaths } from '@tollgate/launcher/data-dir';
import {
  type ComponentSpec,
  INTERNAL_PORT_COUNT,
  listComponents,
} from '@tollgate/launcher/processes/components';
import { inheritedEnvironment } from '@tollgate/launcher/processes/inherited-environment';
import { allInOneProcess, separateProcess } from '@tollgate/launcher/processes/processes';
import type { ServerUrls } from '@tollgate/launcher/processes/servers';
import type { ProcessSpec } from '@tollgate/launcher/processes/supervised-process';
import type { Secrets } from '@tollgate/launcher/secrets';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { RECEIVER_CERTIFICATE_PATH } from './webhook-receiver.ts';

/** Sandbox payments settle after this delay. */
const SETTLEMENT_DELAY = '200ms';
const LOG_LEVEL = 'warn';

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

/** How a platform under test runs its components. */
export interface Topology {
  /** Describes a component as the launcher does, with a new ops port for each call. `env` is added to its environment. */
  describe(
    name: ProcessName,
    env?: Record<string, string>,
    settings?: PlatformSettings,
  ): Promise<PlatformProcess>;
}

/** A process for each component, and for each instance of it. */
export function separateTopology(common: PlatformSettings): Topology {
  return {
    async describe(name, env = {}, settings = common) {
      const component = await describeComponent(name, settings, env);
      return controlled(separateProcess(component, processOptions(settings)), opsUrlOf(component));
    },
  };
}

/** One process for all components, of which each has one instance. It starts and stops with any of them. */
export function allInOneTopology(common: PlatformSettings): Topology {
  const components: ComponentSpec[] = [];
  let starting: Promise<ChildServer> | null = null;
  let running: ChildServer | null = null;

  async function start(): Promise<void> {
    starting ??= startChildServer({
      ...allInOneProcess([components], processOptions(common)),
      timeoutMs: START_TIMEOUT_MS,
    });
    running = await starting;
  }

  async function end(how: 'stop' | 'kill'): Promise<void> {
    const ended = starting;
    starting = null;
    running = null;
    await (await ended)?.[how]();
  }

  return {
    async describe(name, env = {}, settings = common) {
      const component = await describeComponent(name, settings, env);
      if (components.some((other) => other.name === name))
        throw new Error(`There is one ${name} in all-in-one.`);
      components.push(component);
      return {
        get pid() {
          return running?.pid ?? null;
        },
        logLines: () => logLinesOf(running),
        opsUrl: opsUrlOf(component),
        start,
        stop: () => end('stop'),
        kill: () => end('kill'),
      };
    },
  };
}

export async function processSpec(
  name: ProcessName,
  settings: PlatformSettings,
  env: Record<string, string> = {},
): Promise<ProcessSpec> {
  return separateProcess(await describeComponent(name, settings, env), processOptions(settings));
}

async function describeComponent(
  name: ProcessName,
  settings: PlatformSettings,
  env: Record<string, string>,
): Promise<ComponentSpec> {
  const { secrets, ports, urls, dataDir } = settings;
  const stages = listComponents({
    settings: {
      dataDir,
      host: '127.0.0.1',
      livePort: ports.live,
      sandboxPort: ports.sandbox,
      adminPort: ports.admin,
      dashboardPort: ports.dashboard,
      logLevel: LOG_LEVEL,
      isPrebuilt: false,
    },
    secrets,
    paths: dataPaths(dataDir),
    urls,
    // Tests of mails set the variables themselves.
    mail: { smtpUrl: '', from: '', inboxUrl: '' },
    internalPorts: await findFreePorts(INTERNAL_PORT_COUNT),
    inherited: processOptions(settings).inherited,
  });
  const component = stages.flat().find((candidate) => candidate.name === name);
  if (!component) throw new Error(`The launcher has no component named ${name}.`);
  return { ...component, env: { ...component.env, ...settings.env, ...env } };
}

function processOptions({ docsBaseUrl, env }: PlatformSettings) {
  return {
    settings: { logLevel: LOG_LEVEL } as const,
    inherited: inheritedEnvironment({
      ...process.env,
      SANDBOX_SETTLEMENT_DELAY: SETTLEMENT_DELAY,
      // Tests call the admin API from many addresses, like a dashboard for its members.
      ADMIN_TRUSTED_PROXIES: '127.0.0.1/32,::1/128',
      DOCS_BASE_URL: docsBaseUrl,
      // Node reads it when a process starts, so that it cannot be a variable of webhooks alone.
      NODE_EXTRA_CA_CERTS: RECEIVER_CERTIFICATE_PATH,
      // In all-in-one, components have variables of their own, but one NODE_OPTIONS.
      ...env,
    }),
  };
}

function opsUrlOf({ opsPort }: Pick<ComponentSpec, 'opsPort'>): string {
  return `http://127.0.0.1:${opsPort}`;
}

function logLinesOf(server: ChildServer | null): Record<string, unknown>[] {
  return (server?.output() ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function controlled(spec: ProcessSpec, opsUrl: string): PlatformProcess {
  let running: ChildServer | null = null;
  async function end(how: 'stop' | 'kill') {
    await running?.[how]();
    running = null;
  }
  return {
    get pid() {
      return running?.pid ?? null;
    },
    logLines: () => logLinesOf(running),
    opsUrl,
    async start() {
      running ??= await startChildServer({ ...spec, timeoutMs: START_TIMEOUT_MS });
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
  };
}
