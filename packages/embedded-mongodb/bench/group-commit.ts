/*
 * Measures how many writes share one flush and the cost of a flush.
 * Usage: node bench/group-commit.ts [seconds per run]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startProcess } from '../test/support/server-process.ts';
import { INDEXES } from './support/payment-documents.ts';
import { median, perSecond, runLoad } from './support/run-load.ts';

const WRITERS = [1, 8, 64];
const ROUNDS = 3;
const DEFAULT_SECONDS = 3;
const durationMs = Number(process.argv[2] ?? DEFAULT_SECONDS) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'group-commit-'));

/** Starts a server and returns it with a function that counts its commits so far. */
async function startMeasured(name: string, ...options: string[]) {
  const server = await startProcess(join(folder, `${name}.db`), ...options);
  const client = await new MongoClient(server.url).connect();
  await client.db('bench').command({ createIndexes: 'payments', indexes: INDEXES });
  let firstNumber = 0;
  return {
    async run(writers: number) {
      const before = await commits();
      const outcome = await runLoad({ port: server.port, writers, durationMs, firstNumber });
      firstNumber += outcome.acknowledged + writers;
      return { outcome, commits: (await commits()) - before };
    },
    async stop() {
      await client.close();
      await server.stop();
    },
  };
  async function commits(): Promise<number> {
    const status = await client.db('admin').command({ serverStatus: 1 });
    return status.storageEngine.commits as number;
  }
}

const flushed = await startMeasured('flushed');
const unflushed = await startMeasured('unflushed', '--no-fsync');
const rows: Record<string, Record<string, string>> = {};
for (const writers of WRITERS) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ flushed: await flushed.run(writers), unflushed: await unflushed.run(writers) });
  }
  const rate = median(rounds.map((round) => perSecond(round.flushed.outcome)));
  const rateWithout = median(rounds.map((round) => perSecond(round.unflushed.outcome)));
  rows[`${writers} writers`] = {
    'writes per second': rate.toFixed(0),
    'without fsync': rateWithout.toFixed(0),
    'ratio (≥ 0.7 at 64)': median(
      rounds.map((round) => perSecond(round.flushed.outcome) / perSecond(round.unflushed.outcome)),
    ).toFixed(2),
    'writes per flush (≥ 16 at 64)': median(
      rounds.map(({ flushed: { outcome, commits } }) => outcome.acknowledged / commits),
    ).toFixed(1),
    'p99 ms': median(rounds.map((round) => round.flushed.outcome.latenciesMs.p99)).toFixed(1),
  };
}
console.table(rows);
await flushed.stop();
await unflushed.stop();
rmSync(folder, { recursive: true });
