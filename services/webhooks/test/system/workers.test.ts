import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@tollgate/runtime/clock';
import { eventually } from '@tollgate/test-kit/eventually';
import { type ProcessUnderTest, startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, type Harness, type Service, startHarness, type TestApplication } from '../harness.ts';
import type { Receiver } from '../receiver.ts';

const WORKER = new URL('./worker.ts', import.meta.url);
const LEASE_MS = 3_000;
/** The long form, `npm run test:long`, has 20. */
const KILLS = Number(process.env['KILLS'] ?? 2);
/** The configured maximum of the concurrency limit per endpoint. */
const PER_ENDPOINT = 5;
const ENDPOINTS = 4;
const BACKLOG = 100;
/** Events that a killed worker had received come again by a reconciliation: one that dies is repeated after 10 s, by a check every 5 s. */
const RECONCILIATION_MS = 15_000;
/** Apart from these waits, a replacement may take so many times as long as the same backlog takes without a kill. */
const MAX_SLOWDOWN = 10;

let harness: Harness;
/** Reads the stores. It is not started, so only the worker processes deliver. */
let observer: Service;
let receiver: Receiver;
let application: TestApplication;
/** They run on from test to test. */
const workers: ProcessUnderTest[] = [];

beforeAll(async () => {
  harness = await startHarness({ signingClock: systemClock });
  observer = await harness.startService({ isStarted: false });
});
afterAll(async () => {
  for (const worker of workers) await worker.end('SIGKILL');
  await harness.stop();
});
beforeEach(async () => {
  receiver = await harness.startReceiver();
  application = await harness.anApplication();
});
afterEach(() => receiver.stop());

/** Ends or starts workers until so many run. */
async function runWorkers(count: number): Promise<ProcessUnderTest[]> {
  for (const surplus of workers.splice(count)) expect(await surplus.end('SIGTERM')).toEqual([0, null]);
  await Promise.all(Array.from({ length: count - workers.length }, startWorker));
  return workers;
}

async function startWorker(): Promise<ProcessUnderTest> {
  const worker = startProcessUnderTest(WORKER, {
    ...harness.processEnv,
    WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT: String(PER_ENDPOINT),
    TEST_LEASE_MS: String(LEASE_MS),
  });
  workers.push(worker);
  await worker.ready();
  return worker;
}

const collection = () => observer.connection.collection('deliveries');
const storedOf = (eventId: string) => collection().findOne({ event_id: eventId });

/** Signals a process and does not wait for it to end. */
function signal(worker: ProcessUnderTest, name: NodeJS.Signals): void {
  void worker.end(name);
}

it('a worker that is stopped for longer than its lease does not overwrite what another worker has stored meanwhile', async () => {
  const [stopped] = (await runWorkers(1)) as [ProcessUnderTest];
  const endpoint = await harness.anEndpoint(application, receiver.url);
  const requests: { answer: (status: number) => void }[] = [];
  receiver.answer = (_request, response) =>
    requests.push({ answer: (status) => response.writeHead(status).end() });
  const event = anEvent(application);
  await harness.publish(event);
  await eventually('the first worker sends it', () => requests.length === 1);
  signal(stopped, 'SIGSTOP');
  // The response, a failure, waits in the socket of the stopped process.
  requests[0]?.answer(500);
  await startWorker();
  await eventually('another worker sends it', () => requests.length === 2, { timeoutMs: 4 * LEASE_MS });
  requests[1]?.answer(204);
  await eventually('it succeeded', async () => (await storedOf(event.id))?.['status'] === 'succeeded');
  signal(stopped, 'SIGCONT');
  await eventually('the first worker notices that it is late', () =>
    stopped.output().includes('ended too late to be recorded'),
  );
  const delivery = await storedOf(event.id);
  expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 1, response_status: 204 });
  const { failing_since: failingSince } = await readEndpoint(endpoint.id);
  expect(failingSince).toBeNull();
}, 60_000);

async function readEndpoint(endpointId: string) {
  const endpoint = await observer.app.context.endpoints.find(application.teamId, endpointId);
  return { failing_since: endpoint?.health.failingSince ?? null };
}

it('two workers share the work, send nothing twice, and send at most the configured number of requests at once to an endpoint', async () => {
  await runWorkers(2);
  const endpoints = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) =>
      harness.anEndpoint(application, `${receiver.url}/${index}`),
    ),
  );
  const concurrent = new Map<string, number>();
  let most = 0;
  receiver.answer = ({ path }, response) => {
    concurrent.set(path, (concurrent.get(path) ?? 0) + 1);
    most = Math.max(most, ...concurrent.values());
    setTimeout(() => {
      concurrent.set(path, (concurrent.get(path) ?? 0) - 1);
      response.writeHead(204).end();
    }, 15);
  };
  const events = Array.from({ length: 100 }, () => anEvent(application));
  await Promise.all(events.map((event) => harness.publish(event)));
  await eventually(
    'all are delivered',
    async () =>
      (await collection().countDocuments({ status: 'succeeded', application_id: application.id })) ===
      events.length * endpoints.length,
    { timeoutMs: 40_000, intervalMs: 100 },
  );
  expect(receiver.received).toHaveLength(events.length * endpoints.length);
  expect(most).toBeLessThanOrEqual(PER_ENDPOINT);
}, 60_000);

describe(`workers that are killed ${KILLS} times while they send`, () => {
  it(`workers that are killed ${KILLS} times while they send lose nothing, repeat at most the attempts in flight, with the same id and bytes, and recover soon after the leases and a reconciliation end`, async () => {
    await runWorkers(1);
    const endpoints = await Promise.all(
      Array.from({ length: ENDPOINTS }, (_, index) =>
        harness.anEndpoint(application, `${receiver.url}/${index}`),
      ),
    );
    receiver.answer = (_request, response) => setTimeout(() => response.writeHead(204).end(), 20);
    const published: string[] = [];
    const owed = () => published.length * ENDPOINTS;
    const succeeded = () =>
      collection().countDocuments({ status: 'succeeded', application_id: application.id });
    const publish = async () => {
      const event = anEvent(application);
      published.push(event.id);
      await harness.publish(event);
    };
    const settle = async (timeoutMs: number) => {
      const startedAt = performance.now();
      await eventually('all are delivered', async () => (await succeeded()) === owed(), {
        timeoutMs,
        intervalMs: 50,
      });
      return performance.now() - startedAt;
    };
    await Promise.all(Array.from({ length: BACKLOG / ENDPOINTS }, publish));
    const undisturbedMs = await settle(60_000);

    let isOver = false;
    const publishing = (async () => {
      while (!isOver) {
        // A bounded backlog: otherwise the test would measure throughput.
        if (owed() - receiver.received.length < BACKLOG) await publish();
        await delay(5);
      }
    })();

    let inFlight = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = receiver.received.length;
      await eventually('deliveries are in flight', () => receiver.received.length > before + 20, {
        timeoutMs: LEASE_MS + 15_000,
      });
      for (const worker of workers.splice(0)) await worker.end('SIGKILL');
      inFlight += PER_ENDPOINT * ENDPOINTS;
      await runWorkers(1);
    }
    isOver = true;
    await publishing;
    const recoveryMs = await settle(LEASE_MS + RECONCILIATION_MS + MAX_SLOWDOWN * undisturbedMs);
    process.stdout.write(
      `${KILLS} kills: ${owed()} owed, ${receiver.received.length} received, all settled ${Math.round(recoveryMs)} ms after the last replacement was ready; a backlog without a kill took ${Math.round(undisturbedMs)} ms.\n`,
    );

    const bodies = new Map<string, Buffer>();
    for (const { path, headers, body } of receiver.received) {
      const key = `${path} ${headers['webhook-id']}`;
      expect(bodies.get(key) ?? body).toEqual(body);
      bodies.set(key, body);
    }
    expect(bodies.size).toBe(owed());
    for (const id of published)
      for (const { url } of endpoints) expect(bodies.has(`${new URL(url).pathname} ${id}`)).toBe(true);
    expect(receiver.received.length - owed()).toBeLessThanOrEqual(inFlight);
    expect(receiver.concurrent().most).toBeLessThanOrEqual(PER_ENDPOINT * ENDPOINTS);
    await runWorkers(0);
  }, 240_000);
});
