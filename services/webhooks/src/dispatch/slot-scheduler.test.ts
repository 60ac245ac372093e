import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Delivery } from '../deliveries/delivery.ts';
import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import type { EndpointLease } from './endpoint-lease.ts';
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts';
import { createSlotScheduler, type SlotScheduler } from './slot-scheduler.ts';

const LIMITS = { total: 12, notFast: 2, extra: 3, unrecorded: 100, claimedAhead: 0 };
const MAX_CONCURRENCY = 7;
const FAST_MS = 10;
const SLOW_MS = 10_000;

const aScheduler = () => createSlotScheduler(LIMITS, () => 0);

/** An endpoint whose last attempt took this long; null when it is untried. */
function anEndpoint(id: string, durationMs: number | null = FAST_MS): EndpointQueue {
  const queue = createEndpointQueue(id, {
    lease: {} as EndpointLease,
    findDue: async () => [],
    maxConcurrency: MAX_CONCURRENCY,
  });
  if (durationMs !== null) queue.startAttempt(0)(durationMs);
  return queue;
}

/** An endpoint whose limit has risen to the maximum. */
function aFastEndpoint(id: string): EndpointQueue {
  const queue = anEndpoint(id);
  for (let slot = 0; slot < MAX_CONCURRENCY; slot += 1) queue.occupySlot();
  for (let ended = 0; ended < 100; ended += 1)
    queue.adaptLimit({ signal: 'succeeded', startedAt: 0, endedAt: FAST_MS, durationMs: FAST_MS });
  for (let slot = 0; slot < MAX_CONCURRENCY; slot += 1) {
    queue.freeSlot();
    queue.settle();
  }
  return queue;
}

/** The endpoint responds, and the response is recorded. */
function end(scheduler: SlotScheduler, queue: EndpointQueue): void {
  scheduler.freeSlot(queue);
  scheduler.settle(queue);
}

/** Gives the endpoint as many slots as it may have. Returns their number. */
function drain(scheduler: SlotScheduler, queue: EndpointQueue): number {
  let count = 0;
  for (scheduler.enqueue(queue); scheduler.next() !== null; scheduler.enqueue(queue)) count += 1;
  return count;
}

it('the slot scheduler gives every endpoint in the line one slot before any gets a second', () => {
  const scheduler = aScheduler();
  for (const id of ['a', 'b', 'c']) scheduler.enqueue(anEndpoint(id));
  const served: (string | undefined)[] = [];
  for (let round = 0; round < 6; round += 1) {
    const queue = scheduler.next();
    served.push(queue?.endpointId);
    if (queue !== null) scheduler.enqueue(queue);
  }
  expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
});

it('the slot scheduler gives one endpoint at most as many slots as its limit, and all together no more than the total', () => {
  const scheduler = aScheduler();
  const drained = [anEndpoint('a'), anEndpoint('b'), anEndpoint('c')].map((one) => drain(scheduler, one));
  expect(drained).toEqual([5, 5, 2]);
});

it('the slot scheduler keeps slots for other endpoints when some may have more than five', () => {
  const scheduler = aScheduler();
  const [first, second] = [aFastEndpoint('first'), aFastEndpoint('second')];
  expect([drain(scheduler, first), drain(scheduler, second)]).toEqual([7, 5]);
  for (const ended of [second, first, first]) end(scheduler, ended);
  expect([drain(scheduler, aFastEndpoint('third')), drain(scheduler, first)]).toEqual([3, 0]);
});

it('the slot scheduler shares the slots beyond five by turns', () => {
  const scheduler = createSlotScheduler({ ...LIMITS, total: 20, extra: 1 }, () => 0);
  const [first, second] = [aFastEndpoint('first'), aFastEndpoint('second')];
  expect([drain(scheduler, first), drain(scheduler, second)]).toEqual([6, 5]);
  const served: string[] = [];
  for (let turn = 0, holder = first; turn < 4; turn += 1) {
    end(scheduler, holder);
    holder = scheduler.next() as EndpointQueue;
    served.push(holder.endpointId);
    scheduler.enqueue(holder);
  }
  expect(served).toEqual(['first', 'second', 'first', 'second']);
});

it('the slot scheduler counts at most five slots of an endpoint that became slow against the share of slow ones', () => {
  let now = 0;
  const scheduler = createSlotScheduler({ ...LIMITS, total: 20, notFast: 6, extra: 10 }, () => now);
  const slow = aFastEndpoint('slow');
  expect(drain(scheduler, slow)).toBe(MAX_CONCURRENCY);
  slow.startAttempt(0);
  now = SLOW_MS;
  const untried = anEndpoint('untried', null);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBe(untried);
});

it('the slot scheduler frees a slot at the response, and counts the attempt against the limit of its endpoint until it is recorded', () => {
  const scheduler = createSlotScheduler({ ...LIMITS, total: 5 }, () => 0);
  const [first, second] = [anEndpoint('first'), anEndpoint('second')];
  expect(drain(scheduler, first)).toBe(5);
  scheduler.freeSlot(first);
  scheduler.freeSlot(first);
  expect([scheduler.slots(), scheduler.inFlight(), first.inFlight]).toEqual([3, 5, 5]);
  expect(scheduler.isIdle(first)).toBe(false);
  expect([drain(scheduler, first), drain(scheduler, second)]).toEqual([0, 2]);
  scheduler.freeSlot(second);
  scheduler.settle(first);
  expect(scheduler.next()).toBe(first);
});

it('the slot scheduler gives no slots while as many responses as allowed are not recorded', () => {
  const scheduler = createSlotScheduler({ ...LIMITS, unrecorded: 2 }, () => 0);
  const [first, second] = [anEndpoint('first'), anEndpoint('second')];
  drain(scheduler, first);
  scheduler.freeSlot(first);
  scheduler.freeSlot(first);
  expect(drain(scheduler, second)).toBe(0);
  scheduler.settle(first);
  expect(scheduler.next()).not.toBeNull();
});

it('the slot scheduler foresees deliveries to fast endpoints that wait for a slot, up to the limits of the endpoint and of all that wait', () => {
  const scheduler = createSlotScheduler({ ...LIMITS, total: 2, claimedAhead: 4 }, () => 0);
  const foreseen = (queue: EndpointQueue, count: number) => {
    const isSentSoon = scheduler.foresee();
    return Array.from({ length: count }, () => isSentSoon(queue)).filter(Boolean).length;
  };
  const [busy, fast, slow] = [anEndpoint('busy'), aFastEndpoint('fast'), anEndpoint('slow', SLOW_MS)];
  expect(drain(scheduler, busy)).toBe(2);
  for (let slot = 0; slot < busy.slots; slot += 1) busy.startAttempt(0);
  expect(foreseen(busy, 9)).toBe(3);
  expect(foreseen(fast, 9)).toBe(4);
  expect(foreseen(slow, 9)).toBe(0);
  busy.addClaimed({} as Delivery);
  expect([foreseen(busy, 9), foreseen(fast, 9)]).toEqual([2, 3]);
  // It is older, and a newer one would be sent first.
  fast.addDue({} as Delivery);
  expect(foreseen(fast, 9)).toBe(0);
});

it('the slot scheduler gives an untried endpoint one slot', () => {
  const scheduler = aScheduler();
  const untried = anEndpoint('untried', null);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBe(untried);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBeNull();
});

it('the slot scheduler foresees exactly the deliveries that get a slot immediately', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3)), fc.array(fc.nat(3)), (before, coming) => {
      const endpoints = [
        anEndpoint('a'),
        aFastEndpoint('b'),
        anEndpoint('untried', null),
        anEndpoint('slow', SLOW_MS),
      ] as const;
      const queueAt = (index: number) => endpoints[index] as EndpointQueue;
      const scheduler = aScheduler();
      const serve = (index: number) => {
        scheduler.enqueue(queueAt(index));
        return scheduler.next() === queueAt(index);
      };
      before.forEach(serve);
      const getsSlot = scheduler.foresee();
      const foreseen = coming.filter((index) => getsSlot(queueAt(index)));
      expect(foreseen.every(serve)).toBe(true);
      const isRejected = (index: number) => !getsSlot(queueAt(index));
      if (foreseen.length < coming.length)
        expect(coming.some((index) => isRejected(index) && !serve(index))).toBe(true);
    }),
  );
});

it('the slot scheduler keeps all limits over any history, and leaves no slot empty that an endpoint in the line may have', () => {
  const isSlow = (index: number) => index % 3 === 0;
  const action = fc.record({ kind: fc.constantFrom('enqueue', 'next', 'done'), index: fc.nat(11) });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const endpoints = Array.from({ length: 12 }, (_, index) =>
        isSlow(index) ? anEndpoint(String(index), SLOW_MS) : aFastEndpoint(String(index)),
      );
      const scheduler = aScheduler();
      const inLine = new Set<EndpointQueue>();
      const running: EndpointQueue[] = [];
      const isNotFast = (queue: EndpointQueue) => !queue.isFast(0);
      const countOf = (test: (queue: EndpointQueue) => boolean) => running.filter(test).length;
      const slotsOf = (queue: EndpointQueue) => countOf((other) => other === queue);
      const countExtra = () =>
        endpoints.reduce((sum, one) => sum + Math.max(0, slotsOf(one) - BASE_CONCURRENCY), 0);
      for (const { kind, index } of actions) {
        const queue = endpoints[index] as EndpointQueue;
        if (kind === 'enqueue') {
          scheduler.enqueue(queue);
          inLine.add(queue);
        }
        if (kind === 'done' && running.length > 0)
          end(scheduler, running.splice(index % running.length, 1)[0] as EndpointQueue);
        if (kind !== 'next') continue;
        const next = scheduler.next();
        if (next !== null) {
          inLine.delete(next);
          running.push(next);
        } else if (running.length < LIMITS.total) {
          const mayHaveSlot = [...inLine].filter(
            (candidate) =>
              slotsOf(candidate) < candidate.concurrencyLimit(0) &&
              (slotsOf(candidate) < BASE_CONCURRENCY || countExtra() < LIMITS.extra) &&
              (!isNotFast(candidate) || countOf(isNotFast) < LIMITS.notFast),
          );
          expect(mayHaveSlot).toEqual([]);
        }
        expect(running.length).toBeLessThanOrEqual(LIMITS.total);
        expect(countOf(isNotFast)).toBeLessThanOrEqual(LIMITS.notFast);
        expect(countExtra()).toBeLessThanOrEqual(LIMITS.extra);
        for (const one of running) expect(slotsOf(one)).toBeLessThanOrEqual(MAX_CONCURRENCY);
        expect(scheduler.inFlight()).toBe(running.length);
        for (const one of endpoints)
          expect(scheduler.isIdle(one)).toBe(!inLine.has(one) && !running.includes(one));
      }
    }),
  );
});
