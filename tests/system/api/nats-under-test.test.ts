import { type Bus, connectBus } from '@tollgate/bus/connection';
import { openBucket } from '@tollgate/bus/kv';
import { eventually } from '@tollgate/test-kit/eventually';
import { type Infra, startInfra } from '@tollgate/test-kit/infra';
import { afterAll, beforeAll, expect, test } from 'vitest';

const START_TIMEOUT_MS = 120_000;
let infra: Infra;
let bus: Bus;

beforeAll(async () => {
  infra = await startInfra({ nats: true });
  bus = await connectBus({ url: infra.natsUrl, name: 'test-kit' });
}, START_TIMEOUT_MS);

afterAll(async () => {
  await bus.close();
  await infra.stop();
});

test('data that JetStream has acknowledged survives kill -9, and clients reconnect at the same address', async () => {
  const bucket = await openBucket(bus, 'kept', { create: true });
  await bucket.create('key', { kept: true });

  await infra.nats.kill();
  await eventually('the client notices', () => !bus.isConnected());
  await infra.nats.start();
  await eventually('the client is back', () => bus.isConnected());

  expect((await bucket.get('key'))?.value).toEqual({ kept: true });
});

test('a deleted store is empty after a restart', async () => {
  const bucket = await openBucket(bus, 'lost', { create: true });
  await bucket.create('key', 1);

  await infra.nats.deleteStore();
  await infra.nats.start();
  await eventually('the client is back', () => bus.isConnected());

  await expect(bucket.get('key')).rejects.toThrow();
});

test('accessing infrastructure that was not requested throws an error that names it', () => {
  expect(() => infra.mongodbUrl).toThrow('startInfra({ mongodb: true })');
});
