/*
 * Measures how long a client waits while another runs operations that would block the server.
 * Usage: node bench/hostile-operations.ts [seconds per operation] [checkout] [part of a title]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import {
  fillForHostileOperations,
  HOSTILE_OPERATIONS,
  type HostileOperation,
} from '../test/support/hostile-operations.ts';
import { type Latencies, startVictim } from '../test/support/victim.ts';
import { type MeasuredServer, startMeasured } from './support/measured-server.ts';

const DEFAULT_SECONDS = 3;
/** A longer operation is reported as endless, and its server is replaced. */
const MAX_OPERATION_MS = 60_000;
const HOSTILE_CLIENTS = 3;
const [seconds = DEFAULT_SECONDS, checkout = fileURLToPath(new URL('../../..', import.meta.url)), part = ''] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'hostile-operations-'));

interface Outcome {
  outcome: string;
  durationMs: number;
}

async function timed(run: () => Promise<unknown>): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await run().then(
    () => 'result',
    (error: { code?: unknown; message?: string }) => `error ${error.code ?? error.message}`,
  );
  return { outcome, durationMs: performance.now() - startedAt };
}

async function inTime(run: () => Promise<Outcome>): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const endless = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: 'endless', durationMs: MAX_OPERATION_MS }), MAX_OPERATION_MS);
  });
  return Promise.race([run(), endless]).finally(() => clearTimeout(timer));
}

interface Ground {
  server: MeasuredServer;
  client: MongoClient;
}

let started = 0;
async function startGround(): Promise<Ground> {
  started += 1;
  const server = await startMeasured(String(checkout), join(folder, `data-${started}.db`));
  const client = await new MongoClient(`mongodb://127.0.0.1:${server.port}`, {
    maxPoolSize: HOSTILE_CLIENTS + 1,
  }).connect();
  await fillForHostileOperations(client.db('hostile'));
  return { server, client };
}

async function measure(ground: Ground, operation: HostileOperation): Promise<Outcome & Latencies> {
  const database = ground.client.db('hostile');
  const victim = await startVictim(ground.server.port);
  const endsAt = performance.now() + Number(seconds) * 1000;
  const attack = async () => {
    let first: Outcome | undefined;
    do {
      const outcome = await inTime(() => timed(() => operation.run(database, {})));
      first ??= outcome;
      if (outcome.outcome === 'endless') break;
    } while (performance.now() < endsAt);
    return first;
  };
  const [first] = await Promise.all(Array.from({ length: HOSTILE_CLIENTS }, attack));
  return { ...(first as Outcome), ...(await victim.stop()) };
}

const milliseconds = (value: number) => Number(value.toFixed(value < 10 ? 2 : 0));
const quiet: HostileOperation = {
  title: '(none)',
  code: undefined,
  run: () => new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000)),
};
const rows: Record<string, object> = {};
let ground = await startGround();
for (const operation of [quiet, ...HOSTILE_OPERATIONS].filter(({ title }) => title.includes(part))) {
  const { outcome, durationMs, p50, p99, max } = await measure(ground, operation);
  rows[operation.title] = {
    outcome,
    'duration ms': milliseconds(durationMs),
    'p50 ms': milliseconds(p50),
    'p99 ms': milliseconds(p99),
    'max ms': milliseconds(max),
  };
  process.stdout.write(`${operation.title}: ${JSON.stringify(rows[operation.title])}\n`);
  if (outcome !== 'endless') continue;
  void ground.client.close();
  await ground.server.kill();
  ground = await startGround();
}
console.table(rows);
await ground.client.close();
await ground.server.stop();
rmSync(folder, { recursive: true });
