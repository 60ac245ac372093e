/*
 * Compares the time of indexed operations in a large and a small collection, and measures the server's memory.
 * Usage: node bench/growth.ts [documents]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startProcess } from '../test/support/server-process.ts';
import { fill, type OperationTimes, timeOperations } from './support/growth-run.ts';
import { INDEXES } from './support/payment-documents.ts';

const SMALL = 1000;
const DEFAULT_LARGE = 1_000_000;
const WARM_UP_ROUNDS = 100;
const ROUNDS = 500;
const large = Number(process.argv[2] ?? DEFAULT_LARGE);
const folder = mkdtempSync(join(tmpdir(), 'growth-'));
const server = await startProcess(join(folder, 'data.db'));
const client = await new MongoClient(server.url).connect();

async function filled(size: number) {
  const name = `payments-${size}`;
  await client.db('bench').command({ createIndexes: name, indexes: INDEXES });
  const payments = client.db('bench').collection(name);
  const startedAt = performance.now();
  await fill(payments, size);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(`${size} documents inserted in ${elapsedSeconds.toFixed(0)} s\n`);
  return { size, payments };
}

async function residentMegabytes(): Promise<number> {
  return (await client.db('admin').command({ serverStatus: 1 })).mem.resident;
}

const collections = [await filled(SMALL), await filled(large)];
const afterFilling = await residentMegabytes();
const times: OperationTimes[] = [];
for (const { payments, size } of collections) {
  await timeOperations(payments, size, WARM_UP_ROUNDS);
  times.push(await timeOperations(payments, size, ROUNDS));
}
const [small, grown] = times as [OperationTimes, OperationTimes];
const row = (operation: keyof OperationTimes) => ({
  [`ms with ${SMALL}`]: small[operation].toFixed(2),
  [`ms with ${large}`]: grown[operation].toFixed(2),
  'ratio (≤ 3)': (grown[operation] / small[operation]).toFixed(2),
});
console.table({
  'findOne by an index': row('findOne'),
  'page of 50 by an index': row('page'),
  'update by an index': row('update'),
});
process.stdout.write(
  `server memory: ${afterFilling} MB after filling, ${await residentMegabytes()} MB after the operations (≤ 300)\n`,
);
await client.close();
await server.stop();
rmSync(folder, { recursive: true });
