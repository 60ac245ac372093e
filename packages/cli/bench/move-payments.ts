import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { type Document, MongoClient } from 'mongodb';
import { runTollgate } from '../test/support/run-tollgate.ts';

/**
 * Moves payments from one server to a second and back to a third, with `tollgate export` and `tollgate import`, and compares the
 * digests of all three. Prints how long each step takes.
 *
 * Usage: node bench/move-payments.ts [payments]
 */
const PAYMENTS = Number(process.argv[2] ?? 100_000);
const BATCH = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-move-'));
const servers: TestServer[] = [];
try {
  for (let index = 0; index < 3; index += 1) servers.push(await startMongoDB());
  const [first, second, third] = servers.map(({ url }) => url) as [string, string, string];
  await timed(`fill with ${PAYMENTS} payments`, () => fill(first));
  const one = await move(first, second, 'first');
  const other = await move(second, third, 'second');
  await timed('export for comparison', () => tollgate(third, 'export', '--to', join(folder, 'third')));
  const last = await collectionsOf('third');
  if (one !== other || other !== last) throw new Error('The digests differ.');
  process.stdout.write(`equal by digest on all three servers\n${one}\n`);
} finally {
  for (const server of servers) await server.dispose();
  rmSync(folder, { recursive: true, force: true });
}

async function fill(url: string): Promise<void> {
  const client = new MongoClient(url);
  const payments = client.db(DATABASES.payments).collection('payments');
  await payments.createIndexes([
    { key: { team_id: 1, created_at: -1, _id: -1 } },
    { key: { application_id: 1, environment: 1, created_at: -1 } },
    { key: { due_at: 1 }, partialFilterExpression: { status: 'pending' } },
  ]);
  for (let from = 0; from < PAYMENTS; from += BATCH) {
    const size = Math.min(BATCH, PAYMENTS - from);
    await payments.insertMany(Array.from({ length: size }, (_, index) => payment(from + index)));
  }
  await client.close();
}

function payment(index: number): Document {
  const at = new Date(Date.UTC(2026, 0, 1) + index * 1_000);
  const id = `pay_${String(index).padStart(26, '0')}`;
  return {
    _id: id as never,
    team_id: 'team_00000000000000000000000001',
    application_id: `app_${String(index % 7).padStart(26, '0')}`,
    environment: index % 3 === 0 ? 'live' : 'sandbox',
    amount: 100 + (index % 100_000),
    currency: 'EUR',
    status: 'succeeded',
    reference: `order-${index}`,
    metadata: { customer: `customer-${index % 1_000}`, cart: 'x'.repeat(index % 200) },
    created_at: at,
    version: 2,
    history: ['pending', 'succeeded'].map((status, version) => ({
      status,
      version,
      at,
      event: { id: `evt_${index}_${version}`, signature: 'x'.repeat(88), published_at: at },
    })),
  };
}

/** Returns the collections with their digests. */
async function move(from: string, to: string, name: string): Promise<string> {
  const path = join(folder, name);
  await timed(`${name} export`, () => tollgate(from, 'export', '--to', path));
  await timed(`${name} import`, () => tollgate(to, 'import', '--from', path));
  const { size } = statSync(join(path, DATABASES.payments, 'payments.bson'));
  process.stdout.write(`${' '.repeat(2)}${(size / 1024 / 1024).toFixed(0)} MiB\n`);
  return collectionsOf(name);
}

async function collectionsOf(name: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, name, 'manifest.json'), 'utf8'));
  return JSON.stringify(manifest.collections, null, 2);
}

async function tollgate(url: string, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runTollgate(args, { MONGODB_URL: url });
  if (exitCode !== 0) throw new Error(stderr);
}

async function timed(step: string, run: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  await run();
  process.stdout.write(`${step.padEnd(36)}${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
}
