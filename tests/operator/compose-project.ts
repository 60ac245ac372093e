import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { eventually } from '@tollgate/test-kit/eventually';

const run = promisify(execFile);
const HEALTHY_WITHIN_MS = 300_000;
const POLL_MS = 500;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

export interface ProjectOptions {
  /** Files after docker-compose.yml, relative to the checkout. */
  overrides: string[];
  /** Added to the variables that print-env prints. */
  env: Record<string, string>;
}

/** One project of compose, with secrets, ports, and a network of its own. */
export interface ComposeProject {
  env: Record<string, string>;
  url: { sandbox: string; admin: string; dashboard: string };
  /** Runs `docker compose` and returns its output. */
  compose(...args: string[]): Promise<string>;
  /** Runs docker/rolling-upgrade.sh. */
  upgrade(): Promise<void>;
  /** Ids of the containers of a service, or of all. */
  containers(service?: string): Promise<string[]>;
  /** Starts everything, with this many containers of each service, and waits until each is healthy. Returns the milliseconds that it took. */
  up(counts?: Record<string, number>): Promise<number>;
  /** Stops and removes the containers and the data. */
  remove(): Promise<void>;
}

export async function docker(...args: string[]): Promise<string> {
  return (await run('docker', args, { maxBuffer: MAX_OUTPUT_BYTES })).stdout.trim();
}

/** Returns the words of the command; null without a Docker engine or without compose. */
export async function findCompose(): Promise<string[] | null> {
  const responds = (command: string, args: string[]) =>
    run(command, args).then(
      () => true,
      () => false,
    );
  if (!(await responds('docker', ['info']))) return null;
  if (await responds('docker', ['compose', 'version'])) return ['docker', 'compose'];
  return (await responds('docker-compose', ['version'])) ? ['docker-compose'] : null;
}

/** @param edgeNetwork the first three numbers of the addresses of its network */
export async function createProject(
  command: string[],
  name: string,
  edgeNetwork: string,
  { overrides, env: further }: ProjectOptions,
): Promise<ComposeProject> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const [live, sandbox, admin, dashboard] = (await findFreePorts(4)).map(String) as [
    string,
    string,
    string,
    string,
  ];
  const env = {
    ...(await printEnv()),
    LIVE_PORT: live,
    SANDBOX_PORT: sandbox,
    ADMIN_PORT: admin,
    DASHBOARD_PORT: dashboard,
    DASHBOARD_URL: `http://localhost:${dashboard}`,
    EDGE_NETWORK: edgeNetwork,
    ...further,
  };
  const envFile = join(folder, 'tollgate.env');
  const lines = Object.entries(env).map(([variable, value]) => `${variable}=${value}\n`);
  await writeFile(envFile, lines.join(''), { mode: 0o600 });
  const files = [await readableFile(folder), ...overrides.map((file) => join(CHECKOUT_DIR, file))];
  const [executable = '', ...words] = [
    ...command,
    '--project-directory',
    CHECKOUT_DIR,
    '--env-file',
    envFile,
    '--project-name',
    name,
    ...files.flatMap((file) => ['--file', file]),
  ];

  async function compose(...args: string[]): Promise<string> {
    return (await run(executable, [...words, ...args], { maxBuffer: MAX_OUTPUT_BYTES })).stdout.trim();
  }
  async function containers(service?: string): Promise<string[]> {
    const ids = await compose('ps', '--quiet', ...(service === undefined ? [] : [service]));
    return ids.split('\n').filter((id) => id !== '');
  }
  /** Steps have ended and have no health. */
  async function areHealthy(): Promise<boolean> {
    const format =
      '{{.State.Running}} {{.State.ExitCode}} {{if .State.Health}}{{.State.Health.Status}}{{end}}';
    const states = await docker('inspect', '--format', format, ...(await containers()));
    return states.split('\n').every((state) => state === 'true 0 healthy' || state.startsWith('false 0'));
  }
  return {
    env,
    url: {
      sandbox: `http://127.0.0.1:${sandbox}`,
      admin: `http://127.0.0.1:${admin}`,
      dashboard: `http://127.0.0.1:${dashboard}`,
    },
    compose,
    async upgrade() {
      const script = join(CHECKOUT_DIR, 'docker/rolling-upgrade.sh');
      await run(script, [], { env: { ...process.env, COMPOSE: [executable, ...words].join(' ') } });
    },
    containers,
    async up(counts = {}) {
      const startedAtMs = performance.now();
      const scale = Object.entries(counts).flatMap(([service, count]) => ['--scale', `${service}=${count}`]);
      await compose('up', '--detach', ...scale);
      await eventually('every container is healthy', areHealthy, {
        timeoutMs: HEALTHY_WITHIN_MS,
        intervalMs: POLL_MS,
      });
      return performance.now() - startedAtMs;
    },
    async remove() {
      await compose('down', '--volumes', '--timeout', '5');
      await rm(folder, { recursive: true });
    },
  };
}

/** docker-compose 1.29 rejects `name`, which every other version needs for a name of the project that no folder decides. */
async function readableFile(folder: string): Promise<string> {
  const text = await readFile(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8');
  const file = join(folder, 'docker-compose.yml');
  await writeFile(file, text.replace(/^name: .*$/m, ''));
  return file;
}

async function printEnv(): Promise<Record<string, string>> {
  const command = join(CHECKOUT_DIR, 'packages/launcher/src/containers/print-env.ts');
  const { stdout } = await run(process.execPath, [command]);
  const variables = stdout.trim().split('\n');
  return Object.fromEntries(
    variables.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
