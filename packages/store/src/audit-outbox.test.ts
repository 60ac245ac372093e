import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { idTimeMs } from '@tollgate/contracts/platform/id-time';
import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { startMongoDB } from '@tollgate/test-kit/mongodb';
import type { TestServer } from '@tollgate/test-kit/test-server';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SYSTEM_AUTHOR } from './audit-author.ts';
import { type AuditOutbox, auditMessage, createAuditOutbox, oldestAuditEntryAt } from './audit-outbox.ts';
import { connectMongoDB } from './mongodb.ts';
import { OVERDUE_MS } from './published-entries.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

let server: TestServer;
let connection: Connection;
let clock: FakeClock;
let outbox: AuditOutbox;
/** Ids that were published, including repeats. `stored` has the ids that reached the audit log. */
let published: string[];
let messageIds: Set<string>;
let stored: Set<string>;
let log: { isThere: boolean; isDeaf: boolean };

beforeAll(async () => {
  server = await startMongoDB();
  connection = await connectMongoDB({ url: server.url, database: 'outbox', appName: 'test', logger });
});
afterAll(async () => {
  await connection.close();
  await server.dispose();
});
beforeEach(async () => {
  await connection.collection('things').deleteMany({});
  clock = createFakeClock();
  published = [];
  messageIds = new Set();
  stored = new Set();
  log = { isThere: true, isDeaf: false };
  outbox = newOutbox();
});

function newOutbox(): AuditOutbox {
  return createAuditOutbox({
    connection,
    collections: ['things'],
    async publish({ id }, messageId) {
      published.push(id);
      messageIds.add(messageId);
      if (log.isThere && !log.isDeaf) stored.add(id);
    },
    async confirm(entries) {
      if (!log.isThere) throw new Error('the audit service is unavailable');
      return entries.map(({ id }) => id).filter((id) => stored.has(id));
    },
    confirmDelaysMs: [0, 1],
    clock,
    logger,
  });
}

/** Stores a change like a service. With `isEnqueued: false`, like a service that crashes after the write. */
async function change({ isEnqueued = true } = {}): Promise<string> {
  const entry: SignedAuditEntry = {
    id: newId('audit'),
    occurred_at: new Date(clock.now()).toISOString(),
    team_id: newId('team'),
    environment: null,
    ...SYSTEM_AUTHOR,
    action: 'key.revoked',
    target: { type: 'key', id: newId('apiKey'), name: null },
    application_id: null,
    changes: {},
    signature: { issuer: 'applications', key_version: '1', value: 'AA==' },
  };
  const documentId = newId('apiKey');
  await connection
    .collection<{ _id: string }>('things')
    .insertOne({ _id: documentId, outbox: [entry] } as never);
  if (isEnqueued) outbox.enqueue([auditMessage(documentId, entry)]);
  return entry.id;
}

async function waiting(): Promise<string[]> {
  const documents = await connection.collection<{ outbox: { id: string }[] }>('things').find().toArray();
  return documents.flatMap((document) => document.outbox.map(({ id }) => id));
}

it('an audit entry stays in its document until the audit log has stored it', async () => {
  log.isDeaf = true;
  const id = await change();
  await outbox.drain();
  expect(published).toEqual([id]);
  expect(await waiting()).toEqual([id]);
  stored.add(id);
  await outbox.sweep();
  expect(await waiting()).toEqual([]);
  expect(published).toEqual([id]);
});

it('an audit entry that waits longest tells how far the outbox lags', async () => {
  expect(await oldestAuditEntryAt(connection, ['things'])).toBeNull();
  log.isDeaf = true;
  const oldest = await change();
  await change();
  await outbox.drain();
  expect(await oldestAuditEntryAt(connection, ['things'])).toEqual(new Date(idTimeMs(oldest)));
});

it('an audit entry is published again when it was lost in transit', async () => {
  log.isDeaf = true;
  const id = await change();
  await outbox.drain();
  log.isDeaf = false;
  await outbox.sweep();
  expect(published).toEqual([id]);
  clock.advance(OVERDUE_MS);
  await outbox.sweep();
  expect(published).toEqual([id, id]);
  // The stream would drop a second message with the same id.
  expect(messageIds.size).toBe(2);
  expect(await waiting()).toEqual([]);
});

it('an audit entry that is never stored is published again, each time after a longer wait, up to an hour', async () => {
  log.isDeaf = true;
  await change();
  await outbox.drain();
  const waits: number[] = [];
  for (let waitedMs = OVERDUE_MS; waits.length < 10; waitedMs += OVERDUE_MS) {
    clock.advance(OVERDUE_MS);
    if ((await outbox.sweep()) === 0) continue;
    waits.push(waitedMs / OVERDUE_MS);
    waitedMs = 0;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 90, 90, 90]);
});

it('an audit entry is published although other documents contain what is no entry', async () => {
  const things = connection.collection<{ _id: string }>('things');
  const poison = { id: newId('audit'), action: 'not a subject', team_id: newId('team') };
  await things.insertMany(
    [
      [null, { id: 'x' }],
      { id: 'no array' },
      [poison, { ...poison, action: 7 }, { ...poison, id: 7 }, { id: newId('audit') }],
    ].map((outbox) => ({ _id: newId('apiKey'), outbox })) as never,
  );
  const id = await change({ isEnqueued: false });
  await outbox.sweep();
  expect(published).toEqual([id]);
  expect(stored).toContain(id);
});

it('an audit entry is published once and kept for as long as the audit log is unavailable', async () => {
  log.isThere = false;
  const ids = [await change(), await change({ isEnqueued: false })];
  await outbox.drain();
  for (let sweeps = 0; sweeps < 5; sweeps += 1) {
    clock.advance(OVERDUE_MS);
    await outbox.sweep();
  }
  expect(published.sort()).toEqual(ids.sort());
  expect((await waiting()).sort()).toEqual(ids.sort());
  log.isThere = true;
  for (const id of ids) stored.add(id);
  await outbox.sweep();
  expect(await waiting()).toEqual([]);
  expect(published).toHaveLength(2);
});

it('an audit entry is published by any instance that sweeps after a crash', async () => {
  const id = await change({ isEnqueued: false });
  expect(await newOutbox().sweep()).toBe(1);
  expect(published).toEqual([id]);
  expect(await waiting()).toEqual([]);
});

it('an audit entry is cleared with all other stored entries in one sweep after an outage of any length', async () => {
  const changes = Array.from({ length: 450 }, () => change({ isEnqueued: false }));
  for (const id of await Promise.all(changes)) stored.add(id);
  await outbox.sweep();
  expect(await waiting()).toEqual([]);
  expect(published).toEqual([]);
});
