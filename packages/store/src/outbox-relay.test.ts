import { createLogger } from '@tollgate/runtime/logger';
import { expect, it } from 'vitest';
import { createOutboxRelay, MAX_HELD, type OutboxMessage } from './outbox-relay.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const message = (id: string): OutboxMessage => ({ documentId: 'd', id, subject: 's', body: {} });

/** A document store and a bus in memory. `unpublished` is what the store has, `sent` what the bus received, in order. */
function outbox() {
  const unpublished = new Map<string, OutboxMessage>();
  const sent: string[] = [];
  const settledBatches: number[] = [];
  const state = { busIsUp: true };
  const relay = createOutboxRelay({
    publish: (messages) =>
      messages.map(async ({ id }) => {
        if (!state.busIsUp) throw new Error('no NATS');
        sent.push(id);
      }),
    settle: async (messages) => {
      settledBatches.push(messages.length);
      for (const { id } of messages) unpublished.delete(id);
    },
    async *findUnpublished({ limit }) {
      yield [...unpublished.values()].slice(0, limit);
    },
    logger,
  });
  function change(...ids: string[]) {
    const messages = ids.map(message);
    for (const one of messages) unpublished.set(one.id, one);
    relay.enqueue(messages);
  }
  return { relay, unpublished, sent, settledBatches, state, change };
}

it('the outbox relay publishes every message and settles many with one write', async () => {
  const { relay, unpublished, sent, settledBatches, change } = outbox();
  for (let index = 0; index < 100; index++) change(`e${index}`);
  await relay.drain();
  expect(new Set(sent).size).toBe(100);
  expect(unpublished.size).toBe(0);
  expect(settledBatches.length).toBeLessThan(10);
});

it('the outbox relay publishes messages in a later sweep when the bus was down', async () => {
  const { relay, unpublished, sent, state, change } = outbox();
  state.busIsUp = false;
  change('a', 'b');
  await relay.drain();
  expect(sent).toEqual([]);
  await expect(relay.sweep()).rejects.toThrow('no NATS');
  state.busIsUp = true;
  expect(await relay.sweep()).toBe(2);
  expect(sent.sort()).toEqual(['a', 'b']);
  expect(unpublished.size).toBe(0);
  expect(await relay.sweep()).toBe(0);
});

it('the outbox relay holds a bounded number of messages while the bus hangs, and the sweep publishes the others', async () => {
  const bus = Promise.withResolvers<void>();
  const unpublished = new Map<string, OutboxMessage>();
  const published = new Set<string>();
  const relay = createOutboxRelay({
    publish: (messages) => messages.map(({ id }) => bus.promise.then(() => void published.add(id))),
    async settle(messages) {
      for (const { id } of messages) unpublished.delete(id);
    },
    async *findUnpublished({ limit }) {
      yield [...unpublished.values()].slice(0, limit);
    },
    logger,
  });
  const total = 2 * MAX_HELD;
  for (let index = 0; index < total; index++) {
    const one = message(`e${index}`);
    unpublished.set(one.id, one);
    relay.enqueue([one]);
  }
  bus.resolve();
  await relay.drain();
  expect(published.size).toBeGreaterThanOrEqual(MAX_HELD);
  // One batch was already in flight.
  expect(published.size).toBeLessThanOrEqual(MAX_HELD + 200);

  while ((await relay.sweep()) > 0);
  expect(published.size).toBe(total);
});

it('the outbox relay publishes messages that are enqueued while it publishes', async () => {
  const { relay, unpublished, sent, change } = outbox();
  change('a');
  queueMicrotask(() => change('b'));
  await relay.drain();
  change('c');
  await relay.drain();
  expect(sent).toEqual(['a', 'b', 'c']);
  expect(unpublished.size).toBe(0);
});
