import { expect, it } from 'vitest';
import type { Delivery } from '../deliveries/delivery.ts';
import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import { createEndpointQueue, SLOW_MS } from './endpoint-queue.ts';
import type { EndpointLease } from './lease.ts';

const MAX_CONCURRENCY = 2 * BASE_CONCURRENCY;
const deps = { lease: {} as EndpointLease, maxConcurrency: MAX_CONCURRENCY };

const DESTINATION = {
  team_id: 'team',
  application_id: 'app',
  environment: 'sandbox',
  endpoint_id: 'whe_1',
} as const;

const delivery = (id: string) => ({ _id: id }) as Delivery;

/** A queue over a store that `stored` stands for. */
function queueOver(stored: Delivery[] = []) {
  const reads: PromiseWithResolvers<void>[] = [];
  let isBlocked = false;
  const queue = createEndpointQueue(DESTINATION, {
    ...deps,
    async findDue(limit) {
      const found = stored.slice(0, limit);
      const read = Promise.withResolvers<void>();
      reads.push(read);
      if (!isBlocked) read.resolve();
      await read.promise;
      return found;
    },
  });
  return {
    queue,
    next: async () => (await queue.next())?._id ?? null,
    reads,
    blockReads() {
      isBlocked = true;
    },
    unblockReads() {
      isBlocked = false;
      for (const { resolve } of reads) resolve();
    },
  };
}

it('the deliveries of an endpoint queue are returned in the order in which they were stored, without a read', async () => {
  const { queue, next, reads } = queueOver();
  queue.addDue(delivery('first'));
  queue.addDue(delivery('second'));
  expect([await next(), await next(), await next()]).toEqual(['first', 'second', null]);
  expect(reads).toHaveLength(0);
  expect(queue.mayHaveMore()).toBe(false);
});

it('the deliveries of an endpoint queue are read after an invalidation, and claimed ones come before due ones', async () => {
  const { queue, next } = queueOver([delivery('old'), delivery('new')]);
  queue.addDue(delivery('new'));
  queue.invalidate();
  queue.addClaimed(delivery('claimed'));
  expect([await next(), await next(), await next(), await next()]).toEqual(['claimed', 'old', 'new', null]);
});

it('the deliveries of an endpoint queue are cached in part, and the others are read when those are sent', async () => {
  const stored = Array.from({ length: 60 }, (_, index) => delivery(String(index)));
  const { queue, next, reads } = queueOver(stored);
  for (const one of stored) queue.addDue(one);
  const got: (string | null)[] = [];
  for (let count = 0; count < 60; count += 1) {
    got.push(await next());
    // As a claim does.
    stored.splice(
      stored.findIndex(({ _id }) => _id === got.at(-1)),
      1,
    );
  }
  expect(got).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
  expect(reads.length).toBeLessThanOrEqual(2);
  expect(await next()).toBeNull();
});

it('the deliveries of an endpoint queue include those that are stored during a read', async () => {
  const stored = [delivery('before')];
  const { queue, next, blockReads, unblockReads } = queueOver(stored);
  blockReads();
  queue.invalidate();
  const first = next();
  stored.splice(0, 1, delivery('meanwhile'));
  queue.addDue(delivery('meanwhile'));
  unblockReads();
  expect(await first).toBe('before');
  expect(queue.mayHaveMore()).toBe(true);
  expect(await next()).toBe('meanwhile');
});

it('the deliveries of an endpoint queue are read again after a read that failed', async () => {
  let isDown = true;
  const queue = createEndpointQueue(DESTINATION, {
    ...deps,
    async findDue() {
      if (isDown) throw new Error('The store is down.');
      return [delivery('due')];
    },
  });
  queue.invalidate();
  await expect(queue.next()).rejects.toThrow('The store is down.');
  isDown = false;
  expect(queue.mayHaveMore()).toBe(true);
  expect((await queue.next())?._id).toBe('due');
});

it('the deliveries of an endpoint queue are discarded when the queue is cleared', async () => {
  const { queue, next } = queueOver();
  queue.addDue(delivery('due'));
  queue.addClaimed(delivery('claimed'));
  queue.clear();
  expect(queue.mayHaveMore()).toBe(false);
  expect(await next()).toBeNull();
});

it('an endpoint is fast after a fast response, and not while an attempt is slow or after a slow one', () => {
  const { queue } = queueOver();
  expect([queue.isTried(), queue.speed(0)]).toEqual([false, 'untried']);
  queue.startAttempt(0)(50);
  expect([queue.isTried(), queue.speed(50)]).toEqual([true, 'fast']);
  const end = queue.startAttempt(100);
  expect(queue.speed(100 + SLOW_MS)).toBe('fast');
  expect(queue.speed(101 + SLOW_MS)).toBe('slow');
  end(15_000);
  expect(queue.speed(15_000)).toBe('slow');
  queue.startAttempt(20_000)(20_010);
  expect(queue.speed(20_010)).toBe('fast');
});

it('an endpoint is limited to one attempt in flight until the first has ended', () => {
  const { queue } = queueOver();
  const end = queue.startAttempt(0);
  expect(queue.concurrencyLimit(0)).toBe(1);
  end(50);
  expect(queue.concurrencyLimit(50)).toBe(BASE_CONCURRENCY);
});

it('an endpoint has a limit that adapts up to the maximum, and is at most five while an attempt is slow', () => {
  const { queue } = queueOver();
  queue.startAttempt(0)(50);
  for (let slot = 0; slot < MAX_CONCURRENCY; slot += 1) queue.occupySlot();
  for (let ended = 0; ended < 100; ended += 1)
    queue.adaptLimit({ signal: 'succeeded', startedAt: 0, endedAt: 50, durationMs: 50 });
  expect(queue.concurrencyLimit(50)).toBe(MAX_CONCURRENCY);
  queue.startAttempt(50);
  expect(queue.concurrencyLimit(51 + SLOW_MS)).toBe(BASE_CONCURRENCY);
});
