import { Kvm } from '@nats-io/kv';
import { startNats } from '@tollgate/test-kit/nats';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecordingLogger } from '../test/recording-logger.ts';
import { type Bus, connectBus } from './connection.ts';
import { openBucket } from './kv.ts';
import { type BucketWatch, readStatus, watchBucket } from './kv-watch.ts';

let server: TestServer;
let bus: Bus;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

const logger = createRecordingLogger();

it('a stopped watch reports nothing more, not even what has already arrived', async () => {
  await openBucket(bus, 'stopped', { create: true });
  const kv = await new Kvm(bus.nats).open('stopped');
  const received: string[] = [];
  const listener = {
    onSnapshot: () => undefined,
    onEntry(key: string) {
      received.push(key);
      watch.stop();
    },
  };
  const watch: BucketWatch = await watchBucket(kv, await readStatus(kv), listener, logger);
  for (let n = 0; n < 100; n++) bus.nats.publish(`$KV.stopped.key.${n}`, '1');
  await expect.poll(() => received.length).toBeGreaterThan(0);
  await bus.nats.flush();
  expect(received).toEqual(['key.0']);
});

it('a watch rejects, without reporting anything, when its bucket was replaced after its status was read', async () => {
  const bucket = await openBucket(bus, 'anew', { create: true });
  await bucket.create('key.a', 1);
  const kv = await new Kvm(bus.nats).open('anew');
  const before = { ...(await readStatus(kv)), createdAt: '2026-01-01T00:00:00Z' };
  let told = 0;
  const listener = { onSnapshot: () => void told++, onEntry: () => void told++ };
  await expect(watchBucket(kv, before, listener, logger)).rejects.toThrow('recreated');
  expect(told).toBe(0);
});
