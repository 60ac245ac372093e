import { afterEach, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { type OpsServer, startOpsServer } from './ops-server.ts';
import { createUnverifiedCounter } from './unverified-messages.ts';

let ops: OpsServer;
let lines: string[];
afterEach(() => ops.stop());

async function start(host = '127.0.0.1', reasonsNotReady: () => string[] = () => []): Promise<OpsServer> {
  lines = [];
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } });
  ops = await startOpsServer({ host, port: 0, reasonsNotReady, registry: createMetrics('test'), logger });
  return ops;
}

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${ops.url}${path}`);
  return { status: response.status, body: await response.json() };
}

it('the ops server is healthy while the process runs, and ready only when there are no reasons not to be', async () => {
  let reasons: string[] = [];
  await start('127.0.0.1', () => reasons);
  expect(await ask('/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
  reasons = ['MongoDB is unreachable'];
  expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'not ready', reasons } });
  for (const path of ['/healthz', '/livez']) {
    expect(await ask(path)).toEqual({ status: 200, body: { status: 'ok' } });
  }
});

it('the ops server logs the reasons once, and that they are gone', async () => {
  let reasons = ['MongoDB is unreachable', 'NATS is not connected'];
  await start('127.0.0.1', () => reasons);
  for (let probes = 0; probes < 3; probes++) await ask('/readyz');
  reasons = [];
  for (let probes = 0; probes < 3; probes++) await ask('/readyz');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'not ready', reason: 'MongoDB is unreachable; NATS is not connected' }),
    expect.objectContaining({ msg: 'ready' }),
  ]);
});

it.each([
  ['/unknown', 404],
  ['/%zz', 400],
])('the ops server responds to %s with a problem', async (path, status) => {
  await start();
  const response = await fetch(`${ops.url}${path}`);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({ status, detail: expect.stringMatching(/\.$/) });
});

it('the ops server serves the metrics of the service', async () => {
  await start();
  const response = await fetch(`${ops.url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const text = await response.text();
  expect(text).toMatch(/process_cpu_seconds_total\{service="test"\}/);
  expect(text).toMatch(/^tollgate_build_info\{version="[^"]+",service="test"\} 1$/m);
});

it('the ops server reports as a metric whether the process is ready', async () => {
  let reasons: string[] = [];
  await start('127.0.0.1', () => reasons);
  const metrics = async () => (await fetch(`${ops.url}/metrics`)).text();
  expect(await metrics()).toContain('tollgate_ready{service="test"} 1\n');
  reasons = ['connecting to NATS'];
  expect(await metrics()).toContain('tollgate_ready{service="test"} 0\n');
});

it('the ops server lists its metrics with their labels, also those without a value', async () => {
  const registry = createMetrics('test');
  createUnverifiedCounter(registry);
  ops = await startOpsServer({
    host: '127.0.0.1',
    port: 0,
    reasonsNotReady: () => [],
    registry,
    logger: createLogger({ service: 'test' }),
  });
  const { body } = (await ask('/metrics.json')) as { body: { name: string }[] };
  expect(body.map(({ name }) => name)).toEqual([
    'tollgate_build_info',
    'tollgate_ready',
    'tollgate_unverified_messages_total',
  ]);
  expect(body.at(-1)).toMatchObject({ type: 'counter', labels: ['kind', 'reason'] });
});

it('the ops server returns its address as a URL, also with IPv6', async () => {
  const { url } = await start('::1');
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('the ops server accepts no connections after it has stopped', async () => {
  const { url } = await start();
  await ops.stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
