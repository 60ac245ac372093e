/*
 * Compares how long writers wait during reads of the whole collection and without them.
 * Usage: node bench/long-reads.ts [documents] [seconds per run]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startProcess } from '../test/support/server-process.ts';
import { fill } from './support/growth-run.ts';
import { INDEXES } from './support/payment-documents.ts';
import { type LoadOutcome, median, perSecond, runLoad } from './support/run-load.ts';

const DEFAULT_DOCUMENTS = 1_000_000;
const DEFAULT_SECONDS = 5;
const WRITERS = 8;
const ROUNDS = 3;
const documents = Number(process.argv[2] ?? DEFAULT_DOCUMENTS);
const durationMs = Number(process.argv[3] ?? DEFAULT_SECONDS) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'long-reads-'));
const server = await startProcess(join(folder, 'data.db'));
const client = await new MongoClient(server.url).connect();
const payments = client.db('bench').collection('scanned');
await fill(payments, documents);
await client.db('bench').command({ createIndexes: 'payments', indexes: INDEXES });

let firstNumber = 0;
async function write(): Promise<LoadOutcome> {
  const outcome = await runLoad({ port: server.port, writers: WRITERS, durationMs, firstNumber });
  firstNumber += outcome.acknowledged + WRITERS;
  return outcome;
}

/** Repeatedly reads every document until the writers finish. Returns the duration of each scan in milliseconds. */
async function scanDuring(writing: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  void writing.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const startedAt = performance.now();
    if ((await payments.findOne({ 'amount.value': -1 })) !== null) throw new Error('found what is missing');
    times.push(performance.now() - startedAt);
  }
  return times;
}

const alone: LoadOutcome[] = [];
const beside: LoadOutcome[] = [];
const scans: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  alone.push(await write());
  const writing = write();
  scans.push(...(await scanDuring(writing)));
  beside.push(await writing);
}
const row = (outcomes: LoadOutcome[]) => ({
  'writes per second': median(outcomes.map(perSecond)).toFixed(0),
  'p50 ms': median(outcomes.map(({ latenciesMs }) => latenciesMs.p50)).toFixed(2),
  'p99 ms': median(outcomes.map(({ latenciesMs }) => latenciesMs.p99)).toFixed(2),
  'max ms': median(outcomes.map(({ latenciesMs }) => latenciesMs.max)).toFixed(0),
});
console.table({
  [`${WRITERS} writers`]: row(alone),
  [`${WRITERS} writers during scans of ${documents} documents`]: row(beside),
});
const { mem } = await client.db('admin').command({ serverStatus: 1 });
process.stdout.write(
  `a scan takes ${(median(scans) / 1000).toFixed(1)} s (${scans.length} measured); server memory ${mem.resident} MB\n`,
);
await client.close();
await server.stop();
rmSync(folder, { recursive: true });
