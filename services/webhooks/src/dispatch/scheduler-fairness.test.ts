import { newId } from '@tollgate/contracts/platform/ids';
import { describe, expect, it } from 'vitest';
import type { Destination } from '../deliveries/delivery.ts';
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts';
import type { EndpointLease } from './lease.ts';
import { createScheduler, slotLimits } from './scheduler.ts';

/** The default of `WEBHOOKS_CONCURRENCY`. */
const SLOTS = 100;
const MIN_SLOTS = 4;
const MAX_CONCURRENCY = 25;
const SLOW_MS = 14_000;
const FAST_MS = 50;
const PER_ENDPOINT = 6;
/** The limit of endpoints of an application. */
const PER_APPLICATION = 50;
/** Team A creates an endpoint, with a first payment, this often during a trial. */
const EVERY_MS = 200;
const NEW_ENDPOINTS = 150;
const P99_MS = 2_000;
/** The dispatcher sweeps so often. */
const SWEEP_MS = 1_000;

/** A scheduler over endpoints that respond after a given time. Time passes from event to event. */
function aWorld(slots = SLOTS) {
  let now = 0;
  const events: { at: number; run(): void }[] = [];
  const scheduler = createScheduler(slotLimits(slots), () => now);
  const backlog = new Map<EndpointQueue, number[]>();
  const latencyOf = new Map<EndpointQueue, () => number>();
  const waitsOf = new Map<EndpointQueue, number[]>();

  function start(queue: EndpointQueue): void {
    const [dueAt = now, ...rest] = backlog.get(queue) ?? [];
    backlog.set(queue, rest);
    if (rest.length > 0) scheduler.enqueue(queue);
    waitsOf.get(queue)?.push(now - dueAt);
    const startedAt = now;
    const end = queue.startAttempt(now);
    at(now + (latencyOf.get(queue)?.() ?? 0), () => {
      end(now);
      scheduler.freeSlot(queue);
      queue.adaptLimit({ signal: 'succeeded', startedAt, endedAt: now, durationMs: now - startedAt });
      scheduler.settle(queue);
    });
  }

  function at(time: number, run: () => void): void {
    events.splice(events.findLastIndex((event) => event.at <= time) + 1, 0, { at: time, run });
  }

  return {
    at,
    now: () => now,
    anEndpoint(destination: Omit<Destination, 'endpoint_id'>, latency: () => number): EndpointQueue {
      const queue = createEndpointQueue(
        { ...destination, endpoint_id: newId('webhookEndpoint') },
        { lease: {} as EndpointLease, findDue: async () => [], maxConcurrency: MAX_CONCURRENCY },
      );
      latencyOf.set(queue, latency);
      waitsOf.set(queue, []);
      return queue;
    },
    pay(queue: EndpointQueue, count = 1): void {
      backlog.set(queue, [...(backlog.get(queue) ?? []), ...Array.from({ length: count }, () => now)]);
      scheduler.enqueue(queue);
    },
    run(): void {
      while (events.length > 0) {
        const sweepAt = Math.floor(now / SWEEP_MS + 1) * SWEEP_MS;
        if ((events[0]?.at ?? 0) <= sweepAt) {
          const event = events.shift() as (typeof events)[number];
          now = event.at;
          event.run();
        } else {
          now = sweepAt;
          for (const [queue, due] of backlog) if (due.length > 0) scheduler.enqueue(queue);
        }
        for (let queue = scheduler.next(); queue !== null; queue = scheduler.next()) start(queue);
      }
    },
    /** How long the deliveries to these endpoints waited for a slot. */
    p99(queues: EndpointQueue[]): number {
      const waits = queues.flatMap((queue) => waitsOf.get(queue) ?? []).sort((one, other) => one - other);
      return waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN;
    },
    waits: (queue: EndpointQueue) => waitsOf.get(queue)?.length ?? 0,
  };
}

type World = ReturnType<typeof aWorld>;

const A = { team_id: 'a', application_id: 'a1', environment: 'sandbox' } as const;
const B = { team_id: 'b', application_id: 'b1', environment: 'sandbox' } as const;

/** Endpoints of team B that respond after 14 s, with six payments each, all at the same time. */
function slowOnes(world: World, count: number, team_id: string = B.team_id): EndpointQueue[] {
  const queues = Array.from({ length: count }, (_, index) => {
    const application_id = `b${Math.floor(index / PER_APPLICATION) + 1}`;
    return world.anEndpoint({ ...B, team_id, application_id }, () => SLOW_MS);
  });
  world.at(0, () => {
    for (const queue of queues) world.pay(queue, PER_ENDPOINT);
  });
  return queues;
}

/** New endpoints, one after the other, with a first payment each. */
function newOnes(
  world: World,
  owner: Omit<Destination, 'endpoint_id'>,
  from = 0,
  everyMs = EVERY_MS,
): EndpointQueue[] {
  return Array.from({ length: NEW_ENDPOINTS }, (_, index) => {
    const queue = world.anEndpoint(owner, () => FAST_MS);
    world.at(from + index * everyMs, () => world.pay(queue));
    return queue;
  });
}

describe.each([50, 500])('beside %i endpoints that respond after 14 s', (count) => {
  it('a first delivery of another team waits 2 s at most', () => {
    const world = aWorld();
    const slow = slowOnes(world, count);
    const first = newOnes(world, A);
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
    expect(slow.map(world.waits)).toEqual(slow.map(() => PER_ENDPOINT));
  });

  it('a first live delivery of the same application waits 2 s at most when the slow ones are in the sandbox', () => {
    const world = aWorld();
    slowOnes(world, count);
    const first = newOnes(world, { ...B, environment: 'live' });
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
  });

  it('first deliveries of another team wait 2 s at most directly after a restart, when everything is due at once', () => {
    const world = aWorld();
    slowOnes(world, count);
    const first = newOnes(world, A, 0, 0);
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
  });

  it('first deliveries of another team wait 2 s at most when endpoints were fast and all become slow', () => {
    const world = aWorld();
    const slowFrom = 2_000;
    const turning = Array.from({ length: count }, () =>
      world.anEndpoint(B, () => (world.now() < slowFrom ? FAST_MS : SLOW_MS)),
    );
    for (let second = 0; second < 4; second += 1)
      for (const queue of turning) world.at(second * 1_000, () => world.pay(queue, 2));
    const first = newOnes(world, A, slowFrom);
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
  });
});

it('a first delivery waits 2 s at most beside another application of its team with 50 endpoints that respond after 14 s', () => {
  const world = aWorld();
  slowOnes(world, PER_APPLICATION);
  const first = newOnes(world, { ...B, application_id: 'b2' });
  world.run();
  expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
});

describe.each([20, 60])('beside %i other teams with five endpoints each that respond after 14 s', (count) => {
  it.each([
    ['from the start', 0],
    ['when all of them are known to be slow', 30_000],
  ])('first deliveries wait 2 s at most, %s, and the slow teams keep their slots', (_title, from) => {
    const world = aWorld();
    const slow = Array.from({ length: count }, (_, team) => slowOnes(world, 5, `b${team}`)).flat();
    const first = newOnes(world, A, from);
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
    expect(slow.map(world.waits)).toEqual(slow.map(() => PER_ENDPOINT));
    // They occupy half of the slots on average.
    expect(world.now()).toBeLessThanOrEqual((2 * slow.length * PER_ENDPOINT * SLOW_MS) / SLOTS);
  });
});

describe('with the smallest WEBHOOKS_CONCURRENCY', () => {
  it('first deliveries of another team wait 2 s at most beside 50 endpoints that respond after 14 s', () => {
    const world = aWorld(MIN_SLOTS);
    const slow = slowOnes(world, 50);
    const first = newOnes(world, A);
    world.run();
    expect(world.p99(first)).toBeLessThanOrEqual(P99_MS);
    expect(slow.map(world.waits)).toEqual(slow.map(() => PER_ENDPOINT));
  });

  it('every delivery of ten teams is sent although all their endpoints respond after 14 s', () => {
    const world = aWorld(MIN_SLOTS);
    const slow = Array.from({ length: 10 }, (_, team) => slowOnes(world, 2, `b${team}`)).flat();
    const first = newOnes(world, A, 60_000);
    world.run();
    expect(slow.map(world.waits)).toEqual(slow.map(() => PER_ENDPOINT));
    expect(first.map(world.waits)).toEqual(first.map(() => 1));
  });
});
