import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectBus } from '@tollgate/bus/connection';
import { DATABASE_OWNERS } from '@tollgate/contracts/platform/databases';
import { CONTAINER_PROCESSES } from '@tollgate/launcher/containers/container-processes';
import { CHECKOUT_DIR, cacheDir } from '@tollgate/local-servers/checkout';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { findNatsServer } from '@tollgate/local-servers/nats-server/find-nats-server';
import { natsIsReady } from '@tollgate/local-servers/nats-server/nats-process';
import { MAX_DRAIN_DELAY_MS } from '@tollgate/runtime/config';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { stopLimitMs } from '@tollgate/runtime/stop-limit';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';

interface Compose {
  services: Record<
    string,
    {
      environment?: Record<string, string>;
      depends_on?: Record<string, object>;
      healthcheck?: { start_period?: string; test?: string[] };
      logging?: { options?: object };
      restart?: string;
      ports?: string[];
      container_name?: string;
      stop_grace_period?: string;
    }
  >;
}

const OPTIONAL_VARIABLES = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER_ARG',
  'NATS_STREAM_MAX_BYTES',
];

const run = promisify(execFile);
let text: string;
let compose: Compose;
/** What an operator gets in `tollgate.env`. */
let printed: Record<string, string>;

beforeAll(async () => {
  text = await readFile(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8');
  compose = parse(text, { merge: true }) as Compose;
  const lines = (await print('print-env')).trim().split('\n');
  printed = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
});

it('docker-compose.yml requires exactly the variables that print-env prints, but the setup token, which works once', () => {
  const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
  expect([...required, 'SETUP_TOKEN'].sort()).toEqual(Object.keys(printed).sort());
});

it('docker-compose.yml starts gateways although a service is not ready, and gives a replica two minutes to start', () => {
  expect(Object.keys(compose.services['gateway']?.depends_on ?? {})).toEqual(['nats']);
  expect(compose.services['dashboard']?.depends_on).toEqual({ gateway: { condition: 'service_started' } });
  for (const name of CONTAINER_PROCESSES.filter((process) => process !== 'operator'))
    expect(compose.services[name]?.healthcheck?.start_period, name).toBe('120s');
});

it('docker-compose.yml checks the health of a process by its readiness', async () => {
  let reasons: string[] = [];
  const ops = await startOpsServer({
    host: '127.0.0.1',
    port: 0,
    reasonsNotReady: () => reasons,
    registry: createMetrics('test'),
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const [, command = '', ...args] = compose.services['accounts']?.healthcheck?.test ?? [];
  const check = (port: string) =>
    run(
      command,
      args.map((arg) => arg.replace('/9090', `/${port}`).replaceAll('$$', '$')),
    ).then(
      () => 'healthy',
      () => 'unhealthy',
    );
  const { port } = new URL(ops.url);
  expect(await check(port)).toBe('healthy');
  reasons = ['MongoDB is unreachable'];
  expect(await check(port)).toBe('unhealthy');
  await ops.stop();
  expect(await check(port)).toBe('unhealthy');
});

it('docker-compose.yml limits the logs of every container that runs on', () => {
  const running = Object.entries(compose.services).filter(([, { restart }]) => restart !== 'no');
  expect(running.length).toBeGreaterThan(9);
  for (const [name, { logging }] of running)
    expect(logging?.options, name).toEqual({ 'max-size': '20m', 'max-file': '5' });
});

it('docker-compose.yml serves metrics to the network, and publishes their port to nobody', () => {
  for (const [name, { environment = {}, ports = [] }] of Object.entries(compose.services)) {
    if (environment['OPS_PORT'] === undefined) continue;
    expect(environment['OPS_HOST'], name).toBe('0.0.0.0');
    expect(ports.join(), name).not.toContain('9090');
  }
});

it('docker-compose.yml publishes the ports of the balancer only, so that everything behind it can be scaled', () => {
  for (const [name, { ports = [], container_name }] of Object.entries(compose.services)) {
    expect(container_name, name).toBeUndefined();
    expect(ports.length > 0, name).toBe(name === 'balancer');
  }
});

it('docker-compose.yml has no address, port, or name that a second project cannot change', () => {
  expect(text.replace(/\$\{EDGE_NETWORK:-[\d.]+\}/g, '')).not.toMatch(/^[^#\n]*\b172\./m);
  for (const port of compose.services['balancer']?.ports ?? [])
    expect(port).toMatch(/^127\.0\.0\.1:\$\{\w+_PORT:-/);
});

it('docker-compose.yml grants a process more time than the longest drain delay and its own limit', () => {
  for (const [name, { environment = {}, stop_grace_period = '' }] of Object.entries(compose.services)) {
    if (environment['DRAIN_DELAY'] === undefined) continue;
    expect(Number.parseInt(stop_grace_period, 10) * 1_000, name).toBeGreaterThan(
      MAX_DRAIN_DELAY_MS + stopLimitMs(1),
    );
  }
});

it('docker-compose.yml grants a process the same time in a rolling upgrade', async () => {
  const script = await readFile(join(CHECKOUT_DIR, 'docker/rolling-upgrade.sh'), 'utf8');
  const seconds = /^STOP_WITHIN_S=(\d+)$/m.exec(script)?.[1];
  expect(compose.services['gateway']?.stop_grace_period).toBe(`${seconds}s`);
});

it('docker-compose.yml passes every variable of tracing and of streams', () => {
  for (const name of CONTAINER_PROCESSES.filter((process) => process !== 'operator')) {
    const variables = Object.keys(compose.services[name]?.environment ?? {});
    expect(variables).toEqual(expect.arrayContaining(OPTIONAL_VARIABLES));
  }
});

it('docker-compose.yml gives every process its own NATS user, and every service its own MongoDB user', () => {
  for (const name of CONTAINER_PROCESSES.filter((process) => process !== 'operator')) {
    const { NATS_URL } = compose.services[name]?.environment ?? {};
    expect(NATS_URL).toBe(`nats://${name}:\${NATS_PASSWORD_${name.toUpperCase()}:?}@nats:4222`);
  }
  for (const name of DATABASE_OWNERS) {
    const { MONGODB_URL } = compose.services[name]?.environment ?? {};
    const user = `${name}:\${MONGODB_PASSWORD_${name.toUpperCase()}:?}`;
    expect(MONGODB_URL).toBe(`mongodb://${user}@\${MONGODB_HOSTS:-mongo:27017}/?authSource=admin`);
  }
});

it('the guide to operation has a command that prints the variables into a file that only the operator can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-operating-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [block] = codeBlocksOf('operating/compose');
  const [, create = '', start = ''] = block?.code.split('\n') ?? [];
  const file = join(folder, 'tollgate.env');
  // The image runs Node in the root folder of a checkout.
  const here = create
    .replace('docker run --rm tollgate', `"${process.execPath}"`)
    .replace('tollgate.env', file);
  await run('sh', ['-euc', here], { cwd: CHECKOUT_DIR });
  const names = [...(await readFile(file, 'utf8')).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(printed));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(start).toContain(' --env-file tollgate.env ');
});

it('docker/nats-users.conf is what print-nats-users prints', async () => {
  expect(await readFile(join(CHECKOUT_DIR, 'docker/nats-users.conf'), 'utf8')).toBe(
    await print('print-nats-users'),
  );
});

it('docker/nats-users.conf accepts every process with its printed password', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-compose-'));
  const port = await findFreePort();
  const users = join(CHECKOUT_DIR, 'docker/nats-users.conf');
  // `include` takes paths relative to the file only.
  await writeFile(join(folder, 'nats-users.conf'), await readFile(users, 'utf8'));
  await writeFile(
    join(folder, 'nats-server.conf'),
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(folder)} }\ninclude ./nats-users.conf\n`,
  );
  const { env } = process;
  const { path } = await findNatsServer({ env, cacheDir: cacheDir(env), say: () => undefined });
  const server = await startChildServer({
    name: 'nats-server',
    command: path,
    args: ['--config', join(folder, 'nats-server.conf')],
    env: printed,
    isReady: () => natsIsReady(port),
  });
  try {
    for (const name of CONTAINER_PROCESSES) {
      const password = printed[`NATS_PASSWORD_${name.toUpperCase()}`];
      const bus = await connectBus({ url: `nats://${name}:${password}@127.0.0.1:${port}`, name });
      await bus.close();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

async function print(command: string): Promise<string> {
  const file = join(CHECKOUT_DIR, `packages/launcher/src/containers/${command}.ts`);
  return (await run(process.execPath, [file])).stdout;
}
