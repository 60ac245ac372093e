import { jetstreamManager } from '@nats-io/jetstream';
import { startNats } from '@tollgate/test-kit/nats';
import { startPartitionProxy } from '@tollgate/test-kit/partition-proxy';
import type { TestServer } from '@tollgate/test-kit/test-server';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Bus, connectBus } from './connection.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { ensureStreams } from './streams.ts';

let server: TestServer;
let bus: Bus;
let publisher: Publisher;

beforeAll(async () => {
  server = await startNats();
  bus = await connectBus({ url: server.url, name: 'test' });
  publisher = createPublisher(bus);
});
beforeEach(async () => {
  await ensureStreams(bus);
  await (await manager()).streams.purge('EVENTS');
});
afterAll(async () => {
  await bus.close();
  await server.dispose();
});

const manager = () => jetstreamManager(bus.nats);

async function storedEvents(): Promise<number> {
  return (await (await manager()).streams.info('EVENTS')).state.messages;
}

async function lastEventText(): Promise<string | undefined> {
  const { streams } = await manager();
  const stored = await streams.getMessage('EVENTS', { last_by_subj: 'events.payment.created' });
  return stored?.string();
}

it('a message that is published twice with one id is stored once', async () => {
  await publisher.publish('events.payment.created', { n: 1 }, { messageId: 'evt_same' });
  await publisher.publish('events.payment.created', { n: 1 }, { messageId: 'evt_same' });
  await publisher.publish('events.payment.created', { n: 2 }, { messageId: 'evt_other' });
  expect(await storedEvents()).toBe(2);
});

it('a body is stored as its exact JSON', async () => {
  const body = {
    text: 'ß 💶 "\\ \u2028 \u0000',
    amount: 999_999_999_999,
    none: null,
    list: [[], {}],
    at: -0.1e-7,
  };
  await publisher.publish('events.payment.created', body, { messageId: 'evt_exact' });
  expect(await lastEventText()).toBe(JSON.stringify(body));
});

it('a missing stream is created once for many publishers, and every message is stored', async () => {
  await (await manager()).streams.delete('EVENTS');
  const count = 50;
  const publish = (_: unknown, n: number) =>
    publisher.publish('events.payment.created', { n }, { messageId: `evt_many_${n}` });
  await Promise.all(Array.from({ length: count }, publish));
  expect(await storedEvents()).toBe(count);
});

it('a message on a subject without a stream is rejected', async () => {
  const lost = publisher.publish('events.refund.created', {}, { messageId: 'evt_lost' });
  await expect(lost).rejects.toThrow('No stream stores the subject "events.refund.created"');
});

it('a message without a JSON form is rejected', async () => {
  const empty = publisher.publish('events.payment.created', undefined, { messageId: 'evt_empty' });
  await expect(empty).rejects.toThrow('cannot be represented as JSON');
});

it('publishing fails immediately while NATS is down, and works again when it is back with an empty store', async () => {
  await server.deleteStore();
  await expect.poll(() => bus.isConnected()).toBe(false);
  const publish = () => publisher.publish('events.payment.created', { n: 1 }, { messageId: 'evt_away' });
  await expect(publish()).rejects.toThrow('NATS is not connected');
  await server.start();
  await expect.poll(() => bus.isConnected()).toBe(true);
  await publish();
  expect(await storedEvents()).toBe(1);
});

it('publishing fails immediately when the connection breaks before the confirmation, and can be repeated', async () => {
  const proxy = await startPartitionProxy(server.url);
  onTestFinished(() => proxy.stop());
  const proxied = await connectBus({ url: proxy.url, name: 'test' });
  onTestFinished(() => proxied.close());
  const publish = () =>
    createPublisher(proxied).publish('events.payment.created', { n: 1 }, { messageId: 'evt_broken' });
  proxy.partition('silent');
  const inFlight = expect(publish()).rejects.toThrow('NATS disconnected');
  proxy.partition('closed');
  await inFlight;
  proxy.heal();
  await expect.poll(() => proxied.isConnected()).toBe(true);
  await publish();
  expect(await storedEvents()).toBe(1);
});
