/*
 * Compares concurrent inserts with their floor: plain node:sqlite writing the same bytes and index rows to the same
 * tables, with the same durability, in one process without a network.
 * Usage: node bench/throughput.ts [seconds per run]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startProcess } from '../test/support/server-process.ts';
import { createFloor } from './support/floor.ts';
import { INDEXES, paymentDocument } from './support/payment-documents.ts';
import { createInsertPreparer } from './support/prepare-inserts.ts';
import { median, perSecond, runLoad } from './support/run-load.ts';

const WRITERS = 64;
const ROUNDS = 5;
const PREPARED = 20_000;
const DEFAULT_SECONDS = 2;
const durationMs = Number(process.argv[2] ?? DEFAULT_SECONDS) * 1000;
const folder = mkdtempSync(join(tmpdir(), 'throughput-'));

const preparer = createInsertPreparer(folder);
const inserts = Array.from({ length: PREPARED }, (_, n) => preparer.prepare(paymentDocument(n)));
preparer.close();
const server = await startProcess(join(folder, 'server.db'));
const client = await new MongoClient(server.url).connect();
await client.db('bench').command({ createIndexes: 'payments', indexes: INDEXES });
const one = createFloor(join(folder, 'one.db'), INDEXES.length + 1);
const shared = createFloor(join(folder, 'shared.db'), INDEXES.length + 1);

let firstNumber = 0;
const rounds: { floorOfOne: number; floorShared: number; served: number }[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const floorOfOne = one.run(inserts, 1, durationMs);
  const floorShared = shared.run(inserts, WRITERS, durationMs);
  const outcome = await runLoad({ port: server.port, writers: WRITERS, durationMs, firstNumber });
  firstNumber += outcome.acknowledged + WRITERS;
  rounds.push({ floorOfOne, floorShared, served: perSecond(outcome) });
}
const row = (name: 'floorOfOne' | 'floorShared' | 'served') => ({
  'inserts per second': median(rounds.map((round) => round[name])).toFixed(0),
  'served ÷ this': median(rounds.map((round) => round.served / round[name])).toFixed(2),
});
console.table({
  'node:sqlite, a transaction each': row('floorOfOne'),
  [`node:sqlite, ${WRITERS} to a transaction`]: row('floorShared'),
  [`server, ${WRITERS} writers over TCP`]: row('served'),
});
one.close();
shared.close();
await client.close();
await server.stop();
rmSync(folder, { recursive: true });
