/**
 * `TEST_INFRA=embedded node bench/endpoint-rate.ts`: events to one endpoint, published as quickly as the stream takes them, for receivers that respond
 * after 0 ms and after 200 ms. Prints one table. Worker and receiver are processes of their own. `WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT` applies.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { anEvent, startHarness } from '../test/harness.ts';

const RUNS = [
  { latencyMs: 0, events: 3_000 },
  { latencyMs: 200, events: 1_000 },
];
const MAX_CONCURRENCY = process.env['WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT'] ?? '25';
const MAIN = new URL('../src/main.ts', import.meta.url);
const COUNTER = new URL('./count-operations.ts', import.meta.url);
const RECEIVER = fileURLToPath(new URL('./receiver.ts', import.meta.url));

const harness = await startHarness();
// Creates the indexes and serves nothing.
await harness.startService({ isStarted: false });
try {
  const rows = [];
  for (const one of RUNS) rows.push(await run(one));
  console.table(rows);
} finally {
  await harness.stop();
}

/** A worker of its own, which knows nothing of the endpoint. */
async function run({ latencyMs, events }: (typeof RUNS)[number]) {
  const worker = startProcessUnderTest(MAIN, {
    ...harness.processEnv,
    NODE_OPTIONS: `--import=${COUNTER}`,
    WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT: MAX_CONCURRENCY,
  });
  await worker.ready();
  const child = fork(RECEIVER, [String(latencyMs)]);
  const [url] = (await once(child, 'message')) as [string];
  const application = await harness.anApplication();
  await harness.anEndpoint(application, url);
  const operations = () =>
    Number([...worker.output().matchAll(/^store operations: (\d+)$/gm)].at(-1)?.[1] ?? 0);
  const operationsBefore = operations();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: events }, () => harness.publish(anEvent(application, { at: new Date() }))),
  );
  const isReceived = async () => (await reportOf(child)).received >= events;
  await eventually('every event was received', isReceived, { timeoutMs: 300_000, intervalMs: 100 });
  const tookS = (performance.now() - startedAt) / 1000;
  const { received, mostInFlight } = await reportOf(child);
  child.kill();
  await worker.end('SIGTERM');
  return {
    'latency ms': latencyMs,
    'per second': Number((events / tookS).toFixed(1)),
    received,
    'most at once': mostInFlight,
    'store operations each': Number(((operations() - operationsBefore) / events).toFixed(2)),
  };
}

async function reportOf(child: ChildProcess): Promise<{ received: number; mostInFlight: number }> {
  const reported = once(child, 'message');
  child.send('report');
  return (await reported)[0] as { received: number; mostInFlight: number };
}
