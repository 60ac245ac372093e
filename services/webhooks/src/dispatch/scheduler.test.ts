import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Delivery } from '../deliveries/delivery.ts';
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts';
import type { EndpointLease } from './lease.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';

const LIMITS = { total: 12, unrecorded: 100, claimedAhead: 0 };
const MAX_CONCURRENCY = 7;
const FAST_MS = 10;
const SLOW_MS = 10_000;

const aScheduler = () => createScheduler(LIMITS, () => 0);

/**
 * An endpoint whose last attempt took this long; null when it is untried. It has a team of its own, unless its id names the team, as
 * `team/id`, or also the application and `live`, as `team/application/live/id`.
 */
function anEndpoint(id: string, durationMs: number | null = FAST_MS): EndpointQueue {
  const [team_id = id, application_id = 'app', environment] = id.split('/');
  const destination = {
    team_id,
    application_id,
    environment: environment === 'live' ? environment : 'sandbox',
    endpoint_id: id,
  } as const;
  const queue = createEndpointQueue(destination, {
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
function end(scheduler: Scheduler, queue: EndpointQueue): void {
  scheduler.freeSlot(queue);
  scheduler.settle(queue);
}

/** Gives the endpoint as many slots as it may have. Returns their number. */
function drain(scheduler: Scheduler, queue: EndpointQueue): number {
  let count = 0;
  for (scheduler.enqueue(queue); scheduler.next() !== null; scheduler.enqueue(queue)) count += 1;
  return count;
}

it('the scheduler gives every endpoint in the line one slot before any gets a second', () => {
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

it('the scheduler gives one endpoint at most as many slots as its limit, and all together no more than the total', () => {
  const scheduler = aScheduler();
  const drained = [anEndpoint('a'), anEndpoint('b'), anEndpoint('c')].map((one) => drain(scheduler, one));
  expect(drained).toEqual([5, 5, 2]);
});

it('the scheduler leaves slots for teams that come later', () => {
  const scheduler = aScheduler();
  const drained = ['first', 'second', 'third'].map((id) => drain(scheduler, aFastEndpoint(id)));
  expect(drained).toEqual([6, 4, 2]);
});

/** The endpoints in the order in which they get slots, when each lines up again and responds at once. */
function servedBy(scheduler: Scheduler, ids: string[], rounds: number): string[] {
  for (const id of ids) scheduler.enqueue(aFastEndpoint(id));
  return Array.from({ length: rounds }, () => {
    const queue = scheduler.next() as EndpointQueue;
    scheduler.enqueue(queue);
    end(scheduler, queue);
    return queue.endpointId;
  });
}

it('the scheduler serves teams in turn, then applications, then endpoints, however many a team has', () => {
  const ids = ['b/x/sandbox/1', 'b/x/sandbox/2', 'b/y/sandbox/3', 'a'];
  const served = servedBy(aScheduler(), ids, 8);
  expect(served.map((id) => id.at(-1))).toEqual(['1', 'a', '3', 'a', '2', 'a', '3', 'a']);
});

it.each([
  ['of one application', ['a/x/live', 'a/x/sandbox']],
  ['of two teams', ['a/x/live', 'b/x/sandbox']],
])('the scheduler gives live three turns for each one of the sandbox, %s', (_title, ids) => {
  const served = servedBy(aScheduler(), ids, 40);
  expect(served.filter((id) => id.endsWith('live'))).toHaveLength(30);
});

it('the scheduler charges a team for its endpoints that became slow, and no other team', () => {
  let now = 0;
  const scheduler = createScheduler({ ...LIMITS, total: 20 }, () => now);
  const slow = aFastEndpoint('b/x/sandbox/slow');
  expect(drain(scheduler, slow)).toBe(MAX_CONCURRENCY);
  slow.startAttempt(0);
  now = SLOW_MS;
  scheduler.enqueue(anEndpoint('b/x/sandbox/untried', null));
  expect(scheduler.next()).toBeNull();
  const untried = anEndpoint('a', null);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBe(untried);
});

it('the scheduler frees a slot at the response, and counts the attempt against the limit of its endpoint until it is recorded', () => {
  const scheduler = createScheduler({ ...LIMITS, total: 7 }, () => 0);
  const [first, second] = [anEndpoint('first'), anEndpoint('second')];
  expect(drain(scheduler, first)).toBe(5);
  scheduler.freeSlot(first);
  scheduler.freeSlot(first);
  expect([scheduler.slots(), scheduler.inFlight(), first.inFlight]).toEqual([3, 5, 5]);
  expect(scheduler.isIdle(first)).toBe(false);
  expect([drain(scheduler, first), drain(scheduler, second)]).toEqual([0, 3]);
  scheduler.freeSlot(second);
  scheduler.settle(first);
  expect(scheduler.next()).toBe(first);
});

it('the scheduler gives no slots while as many responses as allowed are not recorded', () => {
  const scheduler = createScheduler({ ...LIMITS, unrecorded: 2 }, () => 0);
  const [first, second] = [anEndpoint('first'), anEndpoint('second')];
  drain(scheduler, first);
  scheduler.freeSlot(first);
  scheduler.freeSlot(first);
  expect(drain(scheduler, second)).toBe(0);
  scheduler.settle(first);
  expect(scheduler.next()).not.toBeNull();
});

it('the scheduler foresees deliveries to fast endpoints that wait for a slot, up to the limits of the endpoint and of all that wait', () => {
  const scheduler = createScheduler({ ...LIMITS, total: 2, claimedAhead: 4 }, () => 0);
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

it('the scheduler gives an untried endpoint one slot', () => {
  const scheduler = aScheduler();
  const untried = anEndpoint('untried', null);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBe(untried);
  scheduler.enqueue(untried);
  expect(scheduler.next()).toBeNull();
});

it('the scheduler tries one untried endpoint of an application at a time, and one more after a fast response', () => {
  let now = 0;
  const scheduler = createScheduler({ ...LIMITS, total: 100 }, () => now);
  const untried = Array.from({ length: 6 }, (_, index) => anEndpoint(`a/x/sandbox/${index}`, null));
  for (const queue of untried) scheduler.enqueue(queue);
  const [first, second, third, ...others] = untried as [EndpointQueue, EndpointQueue, ...EndpointQueue[]];
  expect([scheduler.next(), scheduler.next()]).toEqual([first, null]);
  first.startAttempt(0)(FAST_MS);
  end(scheduler, first);
  expect([scheduler.next(), scheduler.next(), scheduler.next()]).toEqual([second, third, null]);
  // It becomes slow, and a sweep finds that the others are still due.
  second.startAttempt(0);
  now = SLOW_MS;
  scheduler.enqueue(others[0] as EndpointQueue);
  expect([scheduler.next(), scheduler.next()]).toEqual([others[0], null]);
});

it('the scheduler leaves a quarter of the slots for fast and untried endpoints, however many teams are slow', () => {
  const scheduler = aScheduler();
  const slow = Array.from({ length: 20 }, (_, team) => anEndpoint(`slow ${team}`, SLOW_MS));
  for (const queue of slow) scheduler.enqueue(queue);
  while (scheduler.next() !== null);
  expect(scheduler.slots()).toBe(9);
  const others = [anEndpoint('untried', null), anEndpoint('fast')];
  for (const queue of others) scheduler.enqueue(queue);
  expect([scheduler.next(), scheduler.next()]).toEqual(others);
  // Slow teams take turns.
  end(scheduler, slow[0] as EndpointQueue);
  expect(scheduler.next()).toBe(slow[9]);
});

it('the scheduler keeps all limits and shares over any history, and lets no team wait that has no slot while one is free', () => {
  const isSlow = (index: number) => index % 3 === 0;
  const action = fc.record({ kind: fc.constantFrom('enqueue', 'next', 'done'), index: fc.nat(11) });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 300 }), (actions) => {
      const endpoints = Array.from({ length: 12 }, (_, index) => {
        const id = `${index % 4}/${index % 2}/sandbox/${index}`;
        return isSlow(index) ? anEndpoint(id, SLOW_MS) : aFastEndpoint(id);
      });
      const scheduler = aScheduler();
      const inLine = new Set<EndpointQueue>();
      const running: EndpointQueue[] = [];
      const isNotFast = (queue: EndpointQueue) => queue.speed(0) !== 'fast';
      const slotsOf = (queue: EndpointQueue) => running.filter((other) => other === queue).length;
      const ofTeam = ({ destination }: EndpointQueue) =>
        running.filter((other) => other.destination.team_id === destination.team_id);
      for (const { kind, index } of actions) {
        const queue = endpoints[index] as EndpointQueue;
        if (kind === 'enqueue') {
          scheduler.enqueue(queue);
          inLine.add(queue);
        }
        if (kind === 'done' && running.length > 0)
          end(scheduler, running.splice(index % running.length, 1)[0] as EndpointQueue);
        if (kind !== 'next') continue;
        const free = LIMITS.total - running.length;
        const next = scheduler.next();
        if (next !== null) {
          expect(ofTeam(next).length).toBeLessThan(3 * free);
          if (isNotFast(next)) expect(ofTeam(next).filter(isNotFast).length).toBeLessThan(free / 4);
          inLine.delete(next);
          running.push(next);
        } else if (free > 0) expect([...inLine].filter((one) => ofTeam(one).length === 0)).toEqual([]);
        expect(running.length).toBeLessThanOrEqual(LIMITS.total);
        for (const one of running) expect(slotsOf(one)).toBeLessThanOrEqual(one.concurrencyLimit(0));
        expect(scheduler.inFlight()).toBe(running.length);
        for (const one of endpoints)
          expect(scheduler.isIdle(one)).toBe(!inLine.has(one) && !running.includes(one));
      }
    }),
  );
});
