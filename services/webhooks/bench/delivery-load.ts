/**
 * `TEST_INFRA=embedded node bench/delivery-load.ts [seconds] [events per second]`: events to 100 endpoints, first all of them healthy, then with
 * 5 that never respond and 5 that drip one byte a second; beside them bare undici with HMAC at the same concurrency. Prints one table. Worker, receivers
 * and load are processes of their own.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tollgate/test-kit/eventually';
import { startProcessUnderTest } from '@tollgate/test-kit/process-under-test';
import { Agent, request } from 'undici';
import { anEvent, startHarness } from '../test/harness.ts';

const SECONDS = Number(process.argv[2] ?? 60);
const EVENTS_PER_SECOND = Number(process.argv[3] ?? 200);
const ENDPOINTS = 100;
const SILENT = 5;
const DRIPPING = 5;
const CONCURRENCY = 100;
/** Published as quickly as the stream takes them, for the rate that is reached. */
const BACKLOG = 10_000;
const MAIN = new URL('../src/main.ts', import.meta.url);
const COUNTER = new URL('./count-operations.ts', import.meta.url);

interface Report {
  /** Milliseconds from the event's publication to its complete arrival, in the receivers' process. */
  latenciesMs: number[];
  received: number;
  mostPerEndpoint: number;
  mostBad: number;
  longestDripMs: number;
}

const harness = await startHarness();
// Creates the indexes and serves nothing.
await harness.startService({ isStarted: false });
const worker = startProcessUnderTest(MAIN, { ...harness.processEnv, NODE_OPTIONS: `--import=${COUNTER}` });
try {
  console.table([await bare(), await run(0, 0, null), await run(0, 0), await run(SILENT, DRIPPING)]);
} finally {
  await worker.end('SIGTERM');
  await harness.stop();
}

/** POST and HMAC alone, as quickly as they go. */
async function bare() {
  const { child, url } = await startReceivers(0, 0);
  const agent = new Agent({ pipelining: 1, connections: CONCURRENCY });
  const body = Buffer.from(JSON.stringify(anEvent({ teamId: 'team', id: 'app' }).data));
  const until = performance.now() + 5_000;
  let count = 0;
  const post = async () => {
    while (performance.now() < until) {
      const signature = createHmac('sha256', 'secret').update(body).digest('base64');
      const { body: response } = await request(`${url}/0`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'webhook-signature': signature, 'webhook-id': 'bare' },
        body,
      });
      await response.dump();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, post));
  await agent.close();
  child.kill();
  return { run: 'bare undici + HMAC', 'per second': Math.round(count / 5) };
}

async function run(silent: number, dripping: number, eventsPerSecond: number | null = EVENTS_PER_SECOND) {
  const { child, url } = await startReceivers(silent, dripping);
  const applications = await Promise.all(
    Array.from({ length: ENDPOINTS }, async (_, index) => {
      const own = await harness.anApplication();
      await harness.anEndpoint(own, `${url}/${index}`);
      return own;
    }),
  );
  const bad = silent + dripping;
  const total = eventsPerSecond === null ? BACKLOG : SECONDS * eventsPerSecond;
  const operationsBefore = storeOperations();
  const startedAt = performance.now();
  let published = 0;
  const memory: number[] = [];
  while (published < total) {
    const elapsedS = (performance.now() - startedAt) / 1000;
    const wanted = eventsPerSecond === null ? total : Math.min(total, Math.floor(elapsedS * eventsPerSecond));
    const batch = Array.from({ length: wanted - published }, (_, index) =>
      anEvent(applications[(published + index) % ENDPOINTS] as (typeof applications)[number], {
        at: new Date(),
      }),
    );
    published = wanted;
    await Promise.all(batch.map((event) => harness.publish(event)));
    if (Math.random() < 0.02) memory.push(await rssMb());
    await delay(10);
  }
  // The events of endpoint n are n, n + 100, …; each healthy one must get all of its own.
  const owed = Array.from({ length: total }, (_, index) => index % ENDPOINTS).filter((index) => index >= bad);
  await eventually(
    'every event of the healthy ones has arrived',
    async () => (await reportOf(child)).latenciesMs.length >= owed.length,
    { timeoutMs: 300_000, intervalMs: 500 },
  );
  const settledS = (performance.now() - startedAt) / 1000;
  memory.push(await rssMb());
  const operations = storeOperations() - operationsBefore;
  const report = await reportOf(child);
  child.kill();
  const latencies = report.latenciesMs.sort((one, other) => one - other);
  const pace = eventsPerSecond === null ? `${BACKLOG} at once` : `${eventsPerSecond}/s`;
  const at = (share: number) => Math.round(latencies[Math.ceil(latencies.length * share) - 1] ?? 0);
  return {
    run: `${pace}, ${bad === 0 ? 'all healthy' : `${silent} silent, ${dripping} dripping`}`,
    'per second': Math.round(report.latenciesMs.length / settledS),
    'healthy received': report.latenciesMs.length,
    'store operations each': Number((operations / report.received).toFixed(2)),
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'most at once per endpoint': report.mostPerEndpoint,
    'most at once, bad ones together': report.mostBad,
    'longest drip ms': Math.round(report.longestDripMs),
    'MB at first': memory[0],
    'MB at last': memory.at(-1),
  };
}

/** Reads and writes of the worker so far. A batch counts once. */
function storeOperations(): number {
  return Number([...worker.output().matchAll(/^store operations: (\d+)$/gm)].at(-1)?.[1] ?? 0);
}

async function rssMb(): Promise<number> {
  const text = await (await fetch(`${worker.opsUrl()}/metrics`)).text();
  return Math.round(Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1]) / 2 ** 20);
}

async function startReceivers(
  silent: number,
  dripping: number,
): Promise<{ child: ChildProcess; url: string }> {
  await worker.ready();
  const path = fileURLToPath(new URL('./receivers.ts', import.meta.url));
  const child = fork(path, [String(silent), String(dripping)]);
  const [url] = (await once(child, 'message')) as [string];
  return { child, url };
}

async function reportOf(child: ChildProcess): Promise<Report> {
  const answered = once(child, 'message');
  child.send('report');
  return (await answered)[0] as Report;
}
