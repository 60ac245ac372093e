import { startNats } from '@tollgate/test-kit/nats';
import { startPartitionProxy } from '@tollgate/test-kit/partition-proxy';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Bus, connectBus } from './connection.ts';
import { type Bucket, BucketMissing, openBucket, RevisionConflict } from './kv.ts';

const OPERATIONS: [string, (bucket: Bucket) => Promise<unknown>][] = [
  ['get', (bucket) => bucket.get('k')],
  ['create', (bucket) => bucket.create('k', 1)],
  ['update', (bucket) => bucket.update('k', 1, 1)],
  ['delete', (bucket) => bucket.delete('k', 1)],
  ['keys', (bucket) => bucket.keys()],
  ['createdAt', (bucket) => bucket.createdAt()],
];

let server: TestServer;
let bus: Bus;
let bucket: Bucket;
let created = 0;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
});
beforeEach(async () => {
  bucket = await openBucket(bus, `bucket-${++created}`, { create: true });
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

it('an entry is read as written, with the revision that the write returned', async () => {
  const value = { text: 'ß 💶', none: null, list: [1, { a: [] }] };
  const revision = await bucket.create('app.one', value);
  expect(await bucket.get('app.one')).toEqual({ value, revision });
});

it('an entry that was never written is null', async () => {
  expect(await bucket.get('app.none')).toBeNull();
});

it('an entry is created by one of many concurrent writers', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => bucket.create('k', n)));
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(rejected).toHaveLength(19);
  for (const { reason } of rejected) expect(reason).toBeInstanceOf(RevisionConflict);
});

it('an entry is updated by one of many writers that read the same revision', async () => {
  const revision = await bucket.create('k', 'first');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => bucket.update('k', n, revision)),
  );
  const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  expect((await bucket.get('k'))?.value).toBe(winner);
});

it('an entry keeps its revision while other entries change', async () => {
  const revision = await bucket.create('mine', 1);
  await bucket.create('other', 1);
  await expect(bucket.update('mine', 2, revision)).resolves.toBeGreaterThan(revision);
});

it('an entry is deleted by its newest revision only, and can be created again', async () => {
  const first = await bucket.create('k', 1);
  const second = await bucket.update('k', 2, first);
  await expect(bucket.delete('k', first)).rejects.toBeInstanceOf(RevisionConflict);
  await bucket.delete('k', second);
  expect(await bucket.get('k')).toBeNull();
  expect(await bucket.keys()).toEqual([]);
  await bucket.create('k', 3);
  expect((await bucket.get('k'))?.value).toBe(3);
});

it('a bucket lists the keys that have a value', async () => {
  expect(await bucket.keys()).toEqual([]);
  for (const key of ['app.a', 'key.b', 'key.c']) await bucket.create(key, 1);
  expect((await bucket.keys()).toSorted()).toEqual(['app.a', 'key.b', 'key.c']);
});

it('a bucket keeps its entries and creation time when it is opened again', async () => {
  await bucket.create('k', 1);
  const again = await openBucket(bus, `bucket-${created}`, { create: true });
  expect(await again.createdAt()).toBe(await bucket.createdAt());
  expect(await again.get('k')).not.toBeNull();
});

it('a bucket keeps its creation time across a restart of the server', async () => {
  const before = await bucket.createdAt();
  await server.kill();
  await expect.poll(() => bus.isConnected()).toBe(false);
  await server.start();
  await expect.poll(() => bus.isConnected()).toBe(true);
  expect(await bucket.createdAt()).toBe(before);
});

it.each(OPERATIONS)(
  'a bucket that is missing is reported by %s, and not created',
  async (_name, operation) => {
    const missing = await openBucket(bus, 'nobody-made-this', { create: false });
    await expect(operation(missing)).rejects.toBeInstanceOf(BucketMissing);
    await expect(missing.createdAt()).rejects.toBeInstanceOf(BucketMissing);
  },
);

it.each(OPERATIONS)(
  'a bucket rejects %s at once when the connection breaks before the reply',
  async (_name, operation) => {
    const proxy = await startPartitionProxy(server.url);
    onTestFinished(() => proxy.stop());
    const proxied = await connectBus({ url: proxy.url, name: 'test' });
    onTestFinished(() => proxied.close());
    const opened = await openBucket(proxied, `bucket-${created}`, { create: false });
    proxy.partition('silent');
    const inFlight = expect(operation(opened)).rejects.toThrow('NATS disconnected');
    proxy.partition('closed');
    await inFlight;
    await expect(operation(opened)).rejects.toThrow('NATS is not connected');
  },
);
