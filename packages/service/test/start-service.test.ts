import { createServer } from 'node:net';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { eventually } from '@tollgate/test-kit/eventually';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { type ProcessUnderTest, startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { type Connection, createConnection, type mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serviceComponent } from '../src/run-service.ts';
import { idleService } from './idle-service.ts';
import { type ServiceHarness, startServiceHarness } from './service-harness.ts';

const MAIN = new URL('./idle-service.ts', import.meta.url);

let harness: ServiceHarness;
let connection: Connection | undefined;

beforeAll(async () => {
  harness = await startServiceHarness({ name: 'idle', clock: createFakeClock() });
});
afterAll(async () => {
  await connection?.close();
  await harness.stop();
});

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function collectionOf(database: string, name: string): Promise<mongo.Collection> {
  connection ??= await createConnection(harness.infra.mongodbUrl).asPromise();
  return connection.getClient().db(database).collection(name);
}

async function probe(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

/** Asserts that the process is live and not ready for this reason. */
async function expectWaiting(
  running: ProcessUnderTest,
  { logged, reason }: { logged: string; reason: string },
): Promise<void> {
  await eventually(`it logs ${logged}`, () => running.output().includes(logged), { timeoutMs: 20_000 });
  expect(await probe(`${running.opsUrl()}/readyz`)).toEqual({
    status: 503,
    body: { status: 'not ready', reasons: [reason] },
  });
  expect((await probe(`${running.opsUrl()}/healthz`)).status).toBe(200);
  expect((await probe(`${running.opsUrl()}/livez`)).status).toBe(200);
}

async function storeVersion(version: { version: number; readable_from: number }): Promise<void> {
  const schema = await collectionOf('tollgate_idle', 'schema');
  const stored = { ...version, release: '9.9.9', first_release: '1.0.0' };
  await schema.updateOne({ _id: 'schema' as never }, { $set: stored }, { upsert: true });
}

it('a service process is live, not ready, and stops on a signal while it waits for MongoDB', async () => {
  const running = startProcessUnderTest(MAIN, {
    ...harness.env,
    MONGODB_URL: `mongodb://127.0.0.1:${await closedPort()}`,
  });
  await expectWaiting(running, { logged: 'MongoDB is unreachable', reason: 'connecting to MongoDB' });
  const metrics = await (await fetch(`${running.opsUrl()}/metrics`)).text();
  expect(metrics).toContain(`tollgate_connected{server="mongodb",service="idle"} 0\n`);
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

it('a service process waits for an index of a large collection, says what to run, then waits for NATS, and stops on a signal', async () => {
  const things = await collectionOf('tollgate_idle', 'things');
  await storeVersion({ version: 1, readable_from: 1 });
  await things.insertMany([{ name: 'one' }, { name: 'two' }]);
  const running = startProcessUnderTest(MAIN, {
    ...harness.env,
    INDEX_AT_START_MAX_DOCUMENTS: '1',
    NATS_URL: `nats://127.0.0.1:${await closedPort()}`,
  });
  const reason =
    'the index name_1 of tollgate_idle.things is missing (about 2 documents): run `tollgate migrate`';
  await expectWaiting(running, { logged: reason, reason });
  await things.createIndex({ name: 1 });
  await expectWaiting(running, { logged: 'NATS is unreachable', reason: 'connecting to NATS' });
  const metrics = await (await fetch(`${running.opsUrl()}/metrics`)).text();
  expect(metrics).toContain(`tollgate_connected{server="nats",service="idle"} 0\n`);
  expect(await running.end('SIGTERM')).toEqual([0, null]);
});

it('a service process warns once about a misspelt variable, becomes ready, and exits with status 0 on SIGTERM', async () => {
  const running = startProcessUnderTest(MAIN, { ...harness.env, NATS_REPLICA: '3', SANDBOX_PORT: '1' });
  await running.ready();
  const warnings = running
    .output()
    .split('\n')
    .filter((line) => line.includes('The variable'));
  expect(warnings).toEqual([expect.stringContaining('The most similar variable is NATS_REPLICAS.')]);
  expect(await running.end('SIGTERM')).toEqual([0, null]);
  expect(running.output()).toContain('"msg":"stopped"');
});

it('a service process exits without listening if its configuration is invalid', async () => {
  const running = startProcessUnderTest(MAIN, { NATS_URL: 'http://x', MONGODB_URL: '' });
  expect(await running.exited).toEqual([1, null]);
  for (const name of ['NATS_URL', 'MONGODB_URL', 'ACTOR_PUBLIC_KEYS']) {
    expect(running.output()).toContain(name);
  }
  expect(running.opsUrl()).toBe('');
});

describe('startService', () => {
  it('startService fails if it cannot read the schema of the database, and names the release to run', async () => {
    await storeVersion({ version: 5, readable_from: 5 });
    await expect(harness.start(idleService, harness.env, {})).rejects.toThrow('Run release 9.9.9 or later');
    await storeVersion({ version: 1, readable_from: 1 });
  });

  it('startService closes what it opened if the service cannot be built', async () => {
    let connection: { readyState: number } | undefined;
    const service = {
      ...idleService,
      build(context: { connection: { readyState: number } }) {
        ({ connection } = context);
        throw new Error('no index');
      },
    };
    await expect(harness.start(service, harness.env, {})).rejects.toThrow('no index');
    expect(connection?.readyState).toBe(0);
    const opsUrl = /"url":"(http:[^"]+)"/.exec(harness.logLines.join(''))?.[1] as string;
    await expect(fetch(`${opsUrl}/healthz`)).rejects.toThrow();
  });

  it.each([
    [5 * 60_000, '300.0 s ahead of that of MongoDB'],
    [-3_000, 's behind that of MongoDB'],
  ])('startService is not ready with a clock that is %d ms ahead, and says so', async (aheadMs, reason) => {
    const machineClock = { now: () => Date.now() + aheadMs };
    const running = await harness.start(idleService, harness.env, { machineClock });
    await expect.poll(() => running.reasonsNotReady().join()).toContain(reason);
    await running.stop();
  });

  it('startService compares the clock at once when the service requests it', async () => {
    let aheadMs = 0;
    let compareClock = async (): Promise<string | null> => null;
    const service: typeof idleService = {
      ...idleService,
      build(context) {
        ({ compareClock } = context);
        return { start() {}, async stop() {} };
      },
    };
    const machineClock = { now: () => Date.now() + aheadMs };
    const running = await harness.start(service, harness.env, { machineClock });
    expect(await compareClock()).toBeNull();
    aheadMs = 40 * DAY_MS;
    expect(await compareClock()).toContain('ahead of that of MongoDB');
    aheadMs = 0;
    expect(await compareClock()).toBeNull();
    await running.stop();
  });

  it('startService is ready if the round trip to MongoDB explains the difference of the clocks', async () => {
    let reads = 0;
    // The reply seems to take a minute: the server may have read its clock at its start or at its end.
    const machineClock = { now: () => Date.now() + (reads++ % 2 === 0 ? -30_000 : 30_000) };
    const running = await harness.start(idleService, harness.env, { machineClock });
    await eventually('the clocks are compared', () => reads >= 2);
    expect(running.reasonsNotReady()).toEqual([]);
    await running.stop();
  });

  it.each([
    [true, 300],
    [false, 0],
  ])('behind a balancer (%s), asks for a drain of %d ms', (isBehindBalancer, drainDelayMs) => {
    const component = serviceComponent({ ...idleService, isBehindBalancer });
    const configured = component.configure({ ...harness.env, DRAIN_DELAY: '300ms' });
    expect(configured.drainDelayMs).toBe(drainDelayMs);
  });

  it('startService serves as before after it becomes unready', async () => {
    const stop = vi.fn(async () => undefined);
    const service = { ...idleService, build: () => ({ start: () => undefined, stop }) };
    const running = await harness.start(service, harness.env, {});
    running.becomeUnready();
    expect((await probe(`${running.opsUrl}/readyz`)).body).toEqual({
      status: 'not ready',
      reasons: ['stopping'],
    });
    expect(stop).not.toHaveBeenCalled();
    await running.stop();
    expect(stop).toHaveBeenCalledOnce();
  });

  it('startService adds the reasons of the app to those of the connections, and closes everything when it stops', async () => {
    let reasons = ['warming up'];
    const steps: string[] = [];
    const service = {
      ...idleService,
      build: () => ({
        start: () => steps.push('start'),
        reasonsNotReady: () => reasons,
        stop: async () => void steps.push('stop'),
      }),
    };
    const running = await harness.start(service, harness.env, {});
    expect(running.reasonsNotReady()).toEqual(['warming up']);
    reasons = [];
    expect(running.reasonsNotReady()).toEqual([]);
    expect(await probe(`${running.opsUrl}/readyz`)).toEqual({ status: 200, body: { status: 'ready' } });
    await running.stop();
    expect(steps).toEqual(['start', 'stop']);
    expect(running.bus.isConnected()).toBe(false);
    await expect(fetch(`${running.opsUrl}/readyz`)).rejects.toThrow();
  });
});
