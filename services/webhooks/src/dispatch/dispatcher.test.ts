import { newId } from '@tollgate/contracts/platform/ids';
import { createLogger } from '@tollgate/runtime/logger';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDispatchStores } from '../../test/dispatch-stores.ts';
import { type Attempt, type Delivery, destinationOf, newDelivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { type SlotLimits, slotLimits } from './scheduler.ts';

const LEASE_MS = 30_000;
const RETRY_MS = 5_000;
const LIMITS = { total: 16, unrecorded: 8, claimedAhead: 6 };
const MAX_CONCURRENCY = 7;
/** One application gets five of the slots. */
const SLOTS_FOR_FIVE = slotLimits(7);

const UNAVAILABLE = { error: { code: 'status', detail: '' }, response: { status: 503 } };

interface AttemptInFlight {
  instance: Instance;
  delivery: Delivery;
  startedAt: number;
  /** Ends it with success, or with a 503, after this time. */
  end(hasSucceeded: boolean, durationMs?: number): void;
}

interface Instance {
  dispatcher: Dispatcher;
  isAlive: boolean;
}

/** Runs before an operation of a store: tests decide with it when the operation takes place. */
type Delay = () => Promise<unknown>;

/** Instances that share their stores. Attempts end when the test ends them. */
function aCluster(options: { limits?: SlotLimits; maxConcurrencyPerEndpoint?: number; delay?: Delay } = {}) {
  const { limits = LIMITS, maxConcurrencyPerEndpoint = MAX_CONCURRENCY, delay = async () => {} } = options;
  const clock = createFakeClock();
  const stores = createDispatchStores(clock);
  const instances: Instance[] = [];
  const inFlight: AttemptInFlight[] = [];
  const unrecorded: { instance: Instance; delivery: Delivery }[] = [];
  const started: Delivery[] = [];

  function aDelivery(endpoint: Endpoint): Delivery {
    const event = { _id: newId('event'), type: 'payment.succeeded', payment_id: newId('payment') } as const;
    return newDelivery(event, endpoint, new Date(clock.now()));
  }

  function startInstance(): Instance {
    const instance: Instance = { isAlive: true, dispatcher: null as unknown as Dispatcher };
    /** Operations of a dead instance never end. */
    const delayed = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const operation = Reflect.get(target, name) as (...args: unknown[]) => unknown;
          return async (...args: unknown[]) => {
            await delay();
            if (!instance.isAlive) await new Promise(() => {});
            return operation(...args);
          };
        },
      });
    const due = delayed(stores.due);
    instance.dispatcher = createDispatcher({
      due,
      leases: delayed(stores.leasesOf(newId('team'))),
      limits,
      maxConcurrencyPerEndpoint,
      leaseMs: LEASE_MS,
      attempt: async (_endpoint, claimed) => {
        started.push(claimed);
        const { promise, resolve } = Promise.withResolvers<Attempt>();
        const end = (hasSucceeded: boolean, duration_ms = 1) =>
          resolve((hasSucceeded ? { error: null, duration_ms } : { ...UNAVAILABLE, duration_ms }) as Attempt);
        const own = { instance, delivery: claimed, startedAt: clock.now(), end };
        inFlight.push(own);
        const attempt = await promise;
        inFlight.splice(inFlight.indexOf(own), 1);
        return attempt;
      },
      retry: (_claimed, { error }) =>
        error === null
          ? { status: 'succeeded', round_failures: 0, next_attempt_at: null }
          : { status: 'pending', round_failures: 1, next_attempt_at: new Date(clock.now() + RETRY_MS) },
      record: async (claimed, attempt, outcome) => {
        const own = { instance, delivery: claimed };
        unrecorded.push(own);
        const isRecorded = await due.record(claimed, attempt, outcome);
        unrecorded.splice(unrecorded.indexOf(own), 1);
        return isRecorded;
      },
      settleHealth: async () => null,
      disable: async () => {},
      endPending: async () => {},
      notifyDue: (endpointId) => {
        for (const { dispatcher, isAlive } of instances) if (isAlive) dispatcher.wakeIfLeased(endpointId);
      },
      clock,
      logger: createLogger({ service: 'webhooks', level: 'silent' }),
    });
    instances.push(instance);
    return instance;
  }

  return {
    clock,
    stores,
    instances,
    inFlight,
    /** Ended attempts that are not recorded yet: a kill repeats them. */
    unrecorded,
    /** The deliveries of all attempts, in the order in which these started. */
    started,
    startInstance,
    /** Stores a delivery and hands it to the instance, as fan-out does. */
    deliver({ dispatcher }: Instance, endpoint: Endpoint): Delivery {
      const [delivery] = dispatcher.claimNew([aDelivery(endpoint)]) as [Delivery];
      stores.deliveries.set(delivery._id, delivery);
      dispatcher.enqueue(delivery);
      return delivery;
    },
    /** Stores a delivery that no instance knows. */
    store(endpoint: Endpoint): Delivery {
      const delivery = aDelivery(endpoint);
      stores.deliveries.set(delivery._id, delivery);
      return delivery;
    },
    kill(instance: Instance) {
      instance.isAlive = false;
      for (const list of [inFlight, unrecorded])
        for (const one of list.filter((attempt) => attempt.instance === instance))
          list.splice(list.indexOf(one as AttemptInFlight), 1);
      instances.splice(instances.indexOf(instance), 1);
    },
  };
}

type Cluster = ReturnType<typeof aCluster>;

/** Resolves when everything that needs no further action of the test has happened. */
async function settled(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ _id }) => _id);

/** Lets 10 ms pass, and ends the attempts that have taken at least this long. */
async function tick(cluster: Cluster, latencyMs: number, hasSucceeded = true): Promise<void> {
  cluster.clock.advance(10);
  const now = cluster.clock.now();
  for (const attempt of [...cluster.inFlight])
    if (now - attempt.startedAt >= latencyMs) attempt.end(hasSucceeded, now - attempt.startedAt);
  await settled();
}

/** Delivers once with a fast response, so that the endpoint may occupy all its slots. */
async function tryEndpoint(cluster: Cluster, instance: Instance, endpoint: Endpoint): Promise<void> {
  cluster.deliver(instance, endpoint);
  await settled();
  for (const attempt of [...cluster.inFlight]) attempt.end(true);
  await settled();
  cluster.started.splice(0);
}

it('the dispatcher starts the deliveries of an endpoint in the order in which they are due', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const instance = cluster.startInstance();
  const deliveries = Array.from({ length: 60 }, () => {
    cluster.clock.advance(1);
    return cluster.store(endpoint);
  });
  await instance.dispatcher.sweep();
  await settled();
  while (cluster.inFlight.length > 0) {
    cluster.inFlight[0]?.end(true);
    await settled();
  }
  expect(idsOf(cluster.started)).toEqual(idsOf(deliveries));
});

it('the dispatcher sends to an endpoint next although another one has a backlog', async () => {
  const cluster = aCluster({ limits: slotLimits(5) });
  const [busy, quiet] = [cluster.stores.addEndpoint(), cluster.stores.addEndpoint()];
  const instance = cluster.startInstance();
  await tryEndpoint(cluster, instance, busy);
  for (let count = 0; count < 50; count += 1) cluster.deliver(instance, busy);
  await settled();
  const own = cluster.deliver(instance, quiet);
  expect(cluster.started).toHaveLength(4);
  for (let ended = 0; ended < 2; ended += 1) {
    cluster.inFlight[0]?.end(true);
    await settled();
  }
  expect(idsOf(cluster.started.slice(4, 6))).toContain(own._id);
});

it('the dispatcher shares a limited number of slots equally among endpoints with a backlog', async () => {
  const cluster = aCluster({ limits: slotLimits(5) });
  const instance = cluster.startInstance();
  const endpoints = Array.from({ length: 3 }, () => cluster.stores.addEndpoint());
  for (const endpoint of endpoints) {
    await tryEndpoint(cluster, instance, endpoint);
    for (let count = 0; count < 40; count += 1) cluster.store(endpoint);
  }
  await instance.dispatcher.sweep();
  await settled();
  while (cluster.started.length < 60) {
    cluster.inFlight[0]?.end(true);
    await settled();
  }
  const counts = endpoints.map(
    ({ _id }) => cluster.started.filter(({ endpoint_id }) => endpoint_id === _id).length,
  );
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
});

it('the dispatcher drains the backlog of an endpoint that takes 200 ms per response while 59 deliveries per second become due', async () => {
  const cluster = aCluster({ limits: slotLimits(100), maxConcurrencyPerEndpoint: 25 });
  const endpoint = cluster.stores.addEndpoint();
  const instance = cluster.startInstance();
  for (let count = 0; count < 200; count += 1) cluster.deliver(instance, endpoint);
  await settled();
  const backlog = () =>
    [...cluster.stores.deliveries.values()].filter(({ status }) => status === 'pending').length;
  let elapsedMs = 0;
  for (let delivered = 0; backlog() > 25 && elapsedMs < 20_000; elapsedMs += 10) {
    for (; delivered < (elapsedMs * 59) / 1_000; delivered += 1) cluster.deliver(instance, endpoint);
    await tick(cluster, 200);
  }
  expect(elapsedMs).toBeLessThan(10_000);
});

it('the dispatcher sends to an endpoint one at a time while it fails, and concurrently again when it has recovered', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const instance = cluster.startInstance();
  await tryEndpoint(cluster, instance, endpoint);
  for (let count = 0; count < 300; count += 1) cluster.deliver(instance, endpoint);
  const concurrency = async (hasSucceeded: boolean) => {
    await tick(cluster, 10, hasSucceeded);
    return cluster.inFlight.length;
  };
  while ((await concurrency(true)) < MAX_CONCURRENCY);
  const falling = [await concurrency(false), await concurrency(false), await concurrency(false)];
  expect(falling).toEqual([3, 1, 1]);
  let rounds = 0;
  while ((await concurrency(true)) < MAX_CONCURRENCY) rounds += 1;
  expect(rounds).toBeLessThan(15);
});

it('the dispatcher gives a quiet endpoint a slot immediately although fast endpoints have risen to their maximum', async () => {
  const cluster = aCluster({ limits: slotLimits(40), maxConcurrencyPerEndpoint: 25 });
  const instance = cluster.startInstance();
  const busy = Array.from({ length: 3 }, () => cluster.stores.addEndpoint());
  const quiet = Array.from({ length: 3 }, () => cluster.stores.addEndpoint());
  for (const endpoint of [...busy, ...quiet]) await tryEndpoint(cluster, instance, endpoint);
  for (const endpoint of busy)
    for (let count = 0; count < 600; count += 1) cluster.deliver(instance, endpoint);
  for (let round = 0; round < 40; round += 1) await tick(cluster, 10);
  // Eight each: as many as are left for the application.
  expect(cluster.inFlight).toHaveLength(24);
  const own = quiet.map((endpoint) => cluster.deliver(instance, endpoint));
  await settled();
  const inFlightIds = cluster.inFlight.map(({ delivery }) => delivery._id);
  expect(inFlightIds).toEqual(expect.arrayContaining(idsOf(own)));
});

it('the dispatcher claims a new delivery only when it holds the lease and has a slot, so that any instance can send the others', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const [holder, other] = [cluster.startInstance(), cluster.startInstance()];
  await tryEndpoint(cluster, holder, endpoint);
  const elsewhere = cluster.deliver(other, endpoint);
  const own = Array.from({ length: BASE_CONCURRENCY + 1 }, () => cluster.deliver(holder, endpoint));
  expect(elsewhere.fence).toBe(0);
  expect(own.map(({ fence }) => fence)).toEqual([1, 1, 1, 1, 1, 0]);
});

it('the dispatcher claims new deliveries to a fast endpoint although other endpoints occupy all slots', async () => {
  const cluster = aCluster({ limits: SLOTS_FOR_FIVE });
  const [busy, fast] = [cluster.stores.addEndpoint(), cluster.stores.addEndpoint()];
  const instance = cluster.startInstance();
  for (const endpoint of [busy, fast]) await tryEndpoint(cluster, instance, endpoint);
  for (let count = 0; count < BASE_CONCURRENCY; count += 1) cluster.deliver(instance, busy);
  await settled();
  const waiting = Array.from({ length: BASE_CONCURRENCY + 1 }, () => cluster.deliver(instance, fast));
  expect(waiting.map(({ fence }) => fence)).toEqual([1, 1, 1, 1, 1, 0]);
  for (const attempt of [...cluster.inFlight]) attempt.end(true);
  await settled();
  expect(idsOf(cluster.started.slice(BASE_CONCURRENCY))).toEqual(idsOf(waiting.slice(0, BASE_CONCURRENCY)));
});

it('the dispatcher sends to other endpoints while responses wait for their record, and to the same one only below its limit', async () => {
  let isBlocked = false;
  const records = Promise.withResolvers<void>();
  const delay = () => (isBlocked ? records.promise : Promise.resolve());
  const cluster = aCluster({ limits: SLOTS_FOR_FIVE, delay });
  const [first, second] = [cluster.stores.addEndpoint(), cluster.stores.addEndpoint()];
  const instance = cluster.startInstance();
  for (const endpoint of [first, second]) await tryEndpoint(cluster, instance, endpoint);
  const own = Array.from({ length: BASE_CONCURRENCY + 1 }, () => cluster.deliver(instance, first));
  const others = Array.from({ length: BASE_CONCURRENCY }, () => cluster.deliver(instance, second));
  await settled();
  isBlocked = true;
  for (const attempt of [...cluster.inFlight]) attempt.end(true);
  await settled();
  expect(cluster.unrecorded).toHaveLength(BASE_CONCURRENCY);
  expect(idsOf(cluster.inFlight.map(({ delivery }) => delivery))).toEqual(idsOf(others));
  isBlocked = false;
  records.resolve();
  for (const attempt of [...cluster.inFlight]) attempt.end(true);
  await settled();
  expect(cluster.started).toContainEqual(expect.objectContaining({ _id: own.at(-1)?._id }));
});

it('the dispatcher reads all pages of due endpoints in its first sweep, and one in each later sweep', async () => {
  const cluster = aCluster();
  const endpoints = [cluster.stores.addEndpoint('first'), cluster.stores.addEndpoint('second')] as const;
  const pages: string[] = [];
  cluster.stores.due.findDueEndpoints = async (_now, after) => {
    pages.push(after);
    const [endpoint, next] = after === '' ? [endpoints[0], 'second'] : [endpoints[1], ''];
    return { destinations: [destinationOf(endpoint)], after: next };
  };
  const { dispatcher } = cluster.startInstance();
  const deliveries = endpoints.map(cluster.store);
  await dispatcher.sweep();
  await settled();
  expect(idsOf(cluster.started)).toEqual(idsOf(deliveries));
  await dispatcher.sweep();
  expect(pages).toEqual(['', 'second', '']);
});

it('the dispatcher releases the leases of idle endpoints', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const instance = cluster.startInstance();
  await tryEndpoint(cluster, instance, endpoint);
  expect(cluster.stores.holderOf(endpoint._id)).toBeDefined();
  await instance.dispatcher.sweep();
  await instance.dispatcher.sweep();
  expect(cluster.stores.holderOf(endpoint._id)).toBeUndefined();
});

it('the dispatcher waits for the attempts in flight when it stops, then releases all leases and starts no others', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const instance = cluster.startInstance();
  const delivery = cluster.deliver(instance, endpoint);
  cluster.deliver(instance, endpoint);
  await settled();
  const stopped = instance.dispatcher.stop();
  await settled();
  expect(cluster.stores.holderOf(endpoint._id)).toBeDefined();
  cluster.inFlight[0]?.end(true);
  await stopped;
  expect(cluster.stores.holderOf(endpoint._id)).toBeUndefined();
  expect(idsOf(cluster.started)).toEqual([delivery._id]);
});

it('the dispatcher makes claimed deliveries that it has not sent due for other instances when it stops', async () => {
  const cluster = aCluster({ limits: SLOTS_FOR_FIVE });
  const [busy, fast] = [cluster.stores.addEndpoint(), cluster.stores.addEndpoint()];
  const instance = cluster.startInstance();
  for (const endpoint of [busy, fast]) await tryEndpoint(cluster, instance, endpoint);
  for (let count = 0; count < BASE_CONCURRENCY; count += 1) cluster.deliver(instance, busy);
  await settled();
  const waiting = cluster.deliver(instance, fast);
  expect(waiting.fence).toBe(1);
  const stopped = instance.dispatcher.stop();
  for (const attempt of [...cluster.inFlight]) attempt.end(true);
  await stopped;
  const { dispatcher } = cluster.startInstance();
  await dispatcher.sweep();
  await settled();
  expect(idsOf(cluster.inFlight.map(({ delivery }) => delivery))).toEqual([waiting._id]);
});

it('the dispatcher sends the deliveries of an instance that died within a lease', async () => {
  const cluster = aCluster();
  const endpoint = cluster.stores.addEndpoint();
  const dead = cluster.startInstance();
  const delivery = cluster.deliver(dead, endpoint);
  await settled();
  cluster.kill(dead);
  const { dispatcher } = cluster.startInstance();
  cluster.clock.advance(LEASE_MS - 1);
  await dispatcher.sweep();
  await settled();
  expect(cluster.inFlight).toEqual([]);
  cluster.clock.advance(1);
  await dispatcher.sweep();
  await settled();
  expect(cluster.inFlight.map((attempt) => attempt.delivery._id)).toEqual([delivery._id]);
});

describe('dispatchers that share endpoints, over any history', () => {
  const ENDPOINTS = 3;
  const ATTEMPT_DEADLINE_MS = LEASE_MS / 2;
  const anAction = fc.record({
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant('deliver' as const) },
      { weight: 6, arbitrary: fc.constant('operation' as const) },
      { weight: 6, arbitrary: fc.constant('end' as const) },
      { weight: 3, arbitrary: fc.constant('advance' as const) },
      { weight: 3, arbitrary: fc.constant('sweep' as const) },
      { weight: 1, arbitrary: fc.constant('wake' as const) },
      { weight: 1, arbitrary: fc.constant('kill' as const) },
    ),
    index: fc.nat(11),
    hasSucceeded: fc.boolean(),
  });

  function checkLimits({ inFlight, unrecorded, instances }: Cluster, endpoints: Endpoint[]): void {
    for (const { _id } of endpoints) {
      const own = [...inFlight, ...unrecorded].filter(({ delivery }) => delivery.endpoint_id === _id);
      expect(own.length).toBeLessThanOrEqual(MAX_CONCURRENCY);
      expect(new Set(own.map(({ delivery }) => delivery._id)).size).toBe(own.length);
    }
    for (const instance of instances)
      expect(inFlight.filter((one) => one.instance === instance).length).toBeLessThanOrEqual(LIMITS.total);
  }

  it('dispatchers that share endpoints, over any history keep the concurrency limits, send nothing twice at a time, and deliver everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(anAction, { maxLength: 80, size: 'max' }),
        async (scheduler, actions) => {
          const cluster = aCluster({ delay: () => scheduler.schedule(Promise.resolve()) });
          const { clock, stores, instances, inFlight } = cluster;
          const endpoints = Array.from({ length: ENDPOINTS }, () => stores.addEndpoint());
          cluster.startInstance();
          cluster.startInstance();

          /** All operations end before time passes, and attempts at their deadline: otherwise leases guarantee nothing. */
          async function advance(ms: number): Promise<void> {
            await scheduler.waitIdle();
            clock.advance(ms);
            for (const attempt of [...inFlight])
              if (clock.now() - attempt.startedAt >= ATTEMPT_DEADLINE_MS - ms) attempt.end(false);
            await scheduler.waitIdle();
          }

          async function run({ kind, index, hasSucceeded }: (typeof actions)[number]): Promise<void> {
            const instance = instances[index % instances.length] as Instance;
            const endpoint = endpoints[index % endpoints.length] as Endpoint;
            if (kind === 'deliver') cluster.deliver(instance, endpoint);
            if (kind === 'operation' && scheduler.count() > 0) await scheduler.waitOne();
            if (kind === 'end') inFlight[index % Math.max(inFlight.length, 1)]?.end(hasSucceeded);
            if (kind === 'advance') await advance((index + 1) * 500);
            if (kind === 'sweep') void instance.dispatcher.sweep();
            if (kind === 'wake') instance.dispatcher.wake(destinationOf(endpoint));
            if (kind === 'kill') {
              cluster.kill(instance);
              cluster.startInstance();
            }
            await settled();
            checkLimits(cluster, endpoints);
          }

          for (const action of actions) await run(action);
          const isOver = () => [...stores.deliveries.values()].every(({ status }) => status === 'succeeded');
          for (let second = 0; second < 2 * (LEASE_MS / 1_000) && !isOver(); second += 1) {
            await advance(1_000);
            for (const { dispatcher } of instances) void dispatcher.sweep();
            await scheduler.waitIdle();
            for (const attempt of [...inFlight]) attempt.end(true);
            await scheduler.waitIdle();
            checkLimits(cluster, endpoints);
          }
          expect(isOver()).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });
});
