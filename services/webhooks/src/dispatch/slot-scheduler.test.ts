import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EndpointLease } from './endpoint-lease.ts';
import { CONCURRENCY_LIMIT, createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts';
import { createSlotScheduler } from './slot-scheduler.ts';

const LIMITS = { total: 8, notFast: 2 };
const FAST_MS = 10;
const SLOW_MS = 10_000;

const aScheduler = () => createSlotScheduler(LIMITS, () => 0);

/** An endpoint whose last attempt took this long; null when it is untried. */
function anEndpoint(id: string, durationMs: number | null = FAST_MS): EndpointQueue {
  const queue = createEndpointQueue(id, {} as EndpointLease, async () => []);
  if (durationMs !== null) queue.startAttempt(0)(durationMs);
  return queue;
}

describe('the slot scheduler', () => {
  it('gives every endpoint in the line one slot before any gets a second', () => {
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

  it('gives one endpoint at most five slots, and all together no more than the total', () => {
    const scheduler = aScheduler();
    const drain = (queue: EndpointQueue) => {
      let count = 0;
      for (scheduler.enqueue(queue); scheduler.next() !== null; scheduler.enqueue(queue)) count += 1;
      return count;
    };
    expect([drain(anEndpoint('a')), drain(anEndpoint('b'))]).toEqual([5, 3]);
  });

  it('gives an untried endpoint one slot', () => {
    const scheduler = aScheduler();
    const untried = anEndpoint('untried', null);
    scheduler.enqueue(untried);
    expect(scheduler.next()).toBe(untried);
    scheduler.enqueue(untried);
    expect(scheduler.next()).toBeNull();
  });

  it('foresees exactly the deliveries that get a slot immediately', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3)), fc.array(fc.nat(3)), (before, coming) => {
        const endpoints = [
          anEndpoint('a'),
          anEndpoint('b'),
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

  it('keeps all limits over any history, and leaves no slot empty that an endpoint in the line may have', () => {
    const isSlow = (index: number) => index % 3 === 0;
    const action = fc.record({ kind: fc.constantFrom('enqueue', 'next', 'done'), index: fc.nat(11) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
        const endpoints = Array.from({ length: 12 }, (_, index) =>
          anEndpoint(String(index), isSlow(index) ? SLOW_MS : FAST_MS),
        );
        const scheduler = aScheduler();
        const inLine = new Set<EndpointQueue>();
        const running: EndpointQueue[] = [];
        const isNotFast = (queue: EndpointQueue) => !queue.isFast(0);
        const countOf = (test: (queue: EndpointQueue) => boolean) => running.filter(test).length;
        for (const { kind, index } of actions) {
          const queue = endpoints[index] as EndpointQueue;
          if (kind === 'enqueue') {
            scheduler.enqueue(queue);
            inLine.add(queue);
          }
          if (kind === 'done' && running.length > 0)
            scheduler.done(running.splice(index % running.length, 1)[0] as EndpointQueue);
          if (kind !== 'next') continue;
          const next = scheduler.next();
          if (next !== null) {
            inLine.delete(next);
            running.push(next);
          } else if (running.length < LIMITS.total) {
            const mayHaveSlot = [...inLine].filter(
              (candidate) =>
                countOf((other) => other === candidate) < CONCURRENCY_LIMIT &&
                (!isNotFast(candidate) || countOf(isNotFast) < LIMITS.notFast),
            );
            expect(mayHaveSlot).toEqual([]);
          }
          expect(running.length).toBeLessThanOrEqual(LIMITS.total);
          expect(countOf(isNotFast)).toBeLessThanOrEqual(LIMITS.notFast);
          for (const one of running)
            expect(countOf((other) => other === one)).toBeLessThanOrEqual(CONCURRENCY_LIMIT);
          expect(scheduler.inFlight()).toBe(running.length);
          for (const one of endpoints)
            expect(scheduler.isIdle(one)).toBe(!inLine.has(one) && !running.includes(one));
        }
      }),
    );
  });
});
