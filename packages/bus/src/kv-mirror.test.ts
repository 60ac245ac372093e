import { jetstreamManager } from '@nats-io/jetstream';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRecordingLogger } from '../test/recording-logger.ts';
import { type Bus, connectBus } from './connection.ts';
import { openBucket } from './kv.ts';
import { type MirrorOptions, mirrorBucket } from './kv-mirror.ts';

const BUCKET = 'principals';

let server: TestServer;
/** Connections of the service that owns the bucket and of the gateway that mirrors it. */
let owner: Bus;
let reader: Bus;

beforeAll(async () => {
  server = await startNats();
  owner = await connectBus({ url: server.url, name: 'owner' });
  reader = await connectBus({ url: server.url, name: 'reader' });
});
afterEach(async () => {
  await (await jetstreamManager(owner.nats)).streams.delete(`KV_${BUCKET}`).catch(() => undefined);
});
afterAll(async () => {
  await owner.close();
  await reader.close();
  await server.dispose();
});

const createBucket = () => openBucket(owner, BUCKET, { create: true });

/** A mirror that keeps its copy like the gateway. */
function mirror(options: Partial<MirrorOptions> = {}) {
  const logger = createRecordingLogger();
  let copy: Record<string, unknown> | null = null;
  let snapshots = 0;
  const mirrored = mirrorBucket(reader, BUCKET, {
    logger,
    onSnapshot(entries) {
      snapshots++;
      copy = Object.fromEntries(entries);
    },
    onEntry(key, value) {
      if (copy === null) throw new Error('An entry came before the first snapshot.');
      if (value === null) delete copy[key];
      else copy[key] = value;
    },
    ...options,
  });
  onTestFinished(() => mirrored.stop());
  return { ...mirrored, logger, copy: () => copy, snapshots: () => snapshots };
}

async function loseNats(): Promise<void> {
  await server.kill();
  await expect.poll(() => owner.isConnected() || reader.isConnected()).toBe(false);
}

async function returnNats(): Promise<void> {
  await server.start();
  await expect.poll(() => owner.isConnected() && reader.isConnected(), { timeout: 5_000 }).toBe(true);
}

it('the copy starts with all entries in one snapshot', async () => {
  const bucket = await createBucket();
  const count = 500;
  await Promise.all(Array.from({ length: count }, (_, n) => bucket.create(`key.${n}`, { n })));
  const { copy, snapshots } = mirror();
  await expect.poll(copy).not.toBeNull();
  expect(Object.keys(copy() ?? {})).toHaveLength(count);
  expect(snapshots()).toBe(1);
});

it('the copy of an empty bucket starts empty', async () => {
  await createBucket();
  const { copy } = mirror();
  await expect.poll(copy).toEqual({});
});

it('the copy excludes deleted entries, in the snapshot and later', async () => {
  const bucket = await createBucket();
  await bucket.create('key.kept', 1);
  await bucket.delete('key.gone', await bucket.create('key.gone', 1));
  const later = await bucket.create('key.later', 1);
  const { copy } = mirror();
  await expect.poll(copy).toEqual({ 'key.kept': 1, 'key.later': 1 });
  await bucket.delete('key.later', later);
  await expect.poll(copy).toEqual({ 'key.kept': 1 });
});

it('the copy follows a write within 50 ms at the median', async () => {
  const bucket = await createBucket();
  let revision = await bucket.create('key.a', 0);
  const { copy } = mirror();
  await expect.poll(copy).toEqual({ 'key.a': 0 });
  const delaysMs: number[] = [];
  for (let n = 1; n <= 50; n++) {
    revision = await bucket.update('key.a', n, revision);
    const writtenAt = performance.now();
    await expect.poll(copy, { interval: 1 }).toEqual({ 'key.a': n });
    delaysMs.push(performance.now() - writtenAt);
  }
  expect(delaysMs.toSorted((a, b) => a - b)[25]).toBeLessThan(50);
});

it('the copy includes every write that happens during the snapshot', async () => {
  const bucket = await createBucket();
  const writing = (async () => {
    for (let n = 0; n < 300; n++) await bucket.create(`key.${n}`, n);
  })();
  const { copy } = mirror();
  await writing;
  await expect.poll(() => Object.keys(copy() ?? {}).length).toBe(300);
});

it('the copy treats an entry that is not JSON as absent', async () => {
  const bucket = await createBucket();
  await bucket.create('key.a', 1);
  const { copy, logger } = mirror();
  await expect.poll(copy).toEqual({ 'key.a': 1 });
  owner.nats.publish(`$KV.${BUCKET}.key.a`, '{');
  await expect.poll(copy).toEqual({});
  expect(logger.messages).toContain('ignored a bucket entry that is not JSON');
});

it('the copy follows later writes after its listener failed on one', async () => {
  const bucket = await createBucket();
  const seen: string[] = [];
  const { copy } = mirror({
    onEntry(key) {
      seen.push(key);
      if (key === 'key.bad') throw new Error('cannot take this');
    },
  });
  await expect.poll(copy).toEqual({});
  await bucket.create('key.bad', 1);
  await bucket.create('key.good', 1);
  await expect.poll(() => seen).toEqual(['key.bad', 'key.good']);
});

it('the copy receives nothing after the mirror is stopped', async () => {
  const bucket = await createBucket();
  const stopped = mirror();
  const other = mirror();
  await expect.poll(() => [stopped.copy(), other.copy()]).toEqual([{}, {}]);
  await stopped.stop();
  await bucket.create('key.a', 1);
  await expect.poll(other.copy).toEqual({ 'key.a': 1 });
  expect(stopped.copy()).toEqual({});
});

describe('while the bucket or NATS is missing', () => {
  it('the mirror waits for the bucket, and has it within 2 s', async () => {
    const { copy, logger, lastConfirmedAt } = mirror();
    await expect.poll(() => logger.messages).toContainEqual(expect.stringContaining('the bucket is missing'));
    expect(lastConfirmedAt()).toBeNull();
    await (await createBucket()).create('key.a', 1);
    await expect.poll(copy, { timeout: 2_000 }).toEqual({ 'key.a': 1 });
  });

  it('the copy stays unchanged, and follows again after the reconnect', async () => {
    const bucket = await createBucket();
    const revision = await bucket.create('key.a', 1);
    const { copy } = mirror();
    await expect.poll(copy).toEqual({ 'key.a': 1 });
    await loseNats();
    expect(copy()).toEqual({ 'key.a': 1 });
    await returnNats();
    await bucket.update('key.a', 2, revision);
    await expect.poll(copy, { timeout: 2_000 }).toEqual({ 'key.a': 2 });
  });

  it('the copy stays until the bucket is created again after a store loss, and then contains nothing old', async () => {
    const bucket = await createBucket();
    await bucket.create('key.old', 1);
    await bucket.create('key.both', 1);
    const { copy, logger, snapshots } = mirror();
    await expect.poll(copy).toEqual({ 'key.old': 1, 'key.both': 1 });
    await server.deleteStore();
    await returnNats();
    const missing = () => logger.messages.filter((message) => message.startsWith('the bucket is missing'));
    await expect.poll(missing, { timeout: 5_000 }).toHaveLength(1);
    expect(copy()).toEqual({ 'key.old': 1, 'key.both': 1 });
    expect(snapshots()).toBe(1);

    const again = await createBucket();
    await again.create('key.both', 2);
    await expect.poll(copy, { timeout: 5_000 }).toEqual({ 'key.both': 2 });
    await again.create('key.new', 3);
    await expect.poll(copy, { timeout: 1_000 }).toEqual({ 'key.both': 2, 'key.new': 3 });
  });

  it('a store that is lost and created again unnoticed is detected within 5 s after the reconnect', async () => {
    await (await createBucket()).create('key.old', 1);
    const { copy } = mirror();
    await expect.poll(copy).toEqual({ 'key.old': 1 });
    await server.deleteStore();
    const created = new Promise((resolve) => {
      const unlisten = owner.onReconnect(() => {
        unlisten();
        resolve(createBucket().then((again) => again.create('key.new', 2)));
      });
    });
    await returnNats();
    await created;
    await expect.poll(copy, { timeout: 5_000 }).toEqual({ 'key.new': 2 });
  });
});

it('a bucket that is created again without losing the connection is detected by its creation time at the next check', async () => {
  await (await createBucket()).create('key.old', 1);
  const { copy } = mirror({ statusIntervalMs: 100 });
  await expect.poll(copy).toEqual({ 'key.old': 1 });
  await (await jetstreamManager(owner.nats)).streams.delete(`KV_${BUCKET}`);
  await (await createBucket()).create('key.new', 2);
  await expect.poll(copy, { timeout: 2_000 }).toEqual({ 'key.new': 2 });
});

it('a mirror gets a new watch when the old one is silent', async () => {
  const bucket = await createBucket();
  const { copy } = mirror({ statusIntervalMs: 100 });
  await expect.poll(copy).toEqual({});
  const { consumers } = await jetstreamManager(owner.nats);
  for await (const { name } of consumers.list(`KV_${BUCKET}`)) await consumers.delete(`KV_${BUCKET}`, name);
  await bucket.create('key.a', 1);
  await expect.poll(copy, { timeout: 2_000 }).toEqual({ 'key.a': 1 });
});

it('the time of the last confirmation advances while NATS responds, and stays unchanged while it is down', async () => {
  await createBucket();
  const clock = createFakeClock();
  const startedAt = clock.now();
  const { lastConfirmedAt } = mirror({ clock, statusIntervalMs: 50 });
  await expect.poll(lastConfirmedAt).toBe(startedAt);
  clock.advance(60_000);
  await expect.poll(lastConfirmedAt).toBe(startedAt + 60_000);
  await loseNats();
  clock.advance(60_000);
  await returnNats();
  await expect.poll(lastConfirmedAt, { timeout: 5_000 }).toBe(startedAt + 120_000);
});

it('the time of the last confirmation stays unchanged while the bucket is missing, although NATS responds', async () => {
  await createBucket();
  const clock = createFakeClock();
  const startedAt = clock.now();
  const { lastConfirmedAt, logger } = mirror({ clock, statusIntervalMs: 50 });
  await expect.poll(lastConfirmedAt).toBe(startedAt);
  await (await jetstreamManager(owner.nats)).streams.delete(`KV_${BUCKET}`);
  await expect.poll(() => logger.messages).toContainEqual(expect.stringContaining('the bucket is missing'));
  clock.advance(60_000);
  expect(lastConfirmedAt()).toBe(startedAt);
});
