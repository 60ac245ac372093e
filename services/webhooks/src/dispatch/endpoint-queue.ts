import type { Clock } from '@tollgate/runtime/clock';
import type { Delivery, Destination } from '../deliveries/delivery.ts';
import { BASE_CONCURRENCY, type EndedAttempt, initialLimit, nextLimit } from './concurrency-limit.ts';
import { createEndpointLease, type EndpointLease, type LeaseStore } from './lease.ts';
import type { DueStore } from './store.ts';

/** Due deliveries that are cached per endpoint. The rest stays in the store until these are sent. */
const MAX_CACHED = 25;
/** An endpoint is slow when its last attempt took longer, or when one has been in flight for longer. */
export const SLOW_MS = 2_000;

/** Idle queues that are kept, because they know how quickly their endpoint responds. */
const MAX_IDLE = 10_000;

export type EndpointQueue = ReturnType<typeof createEndpointQueue>;

interface EndpointQueueDeps {
  lease: EndpointLease;
  /** Finds the deliveries of the endpoint that have been due longest, at most `limit`. */
  findDue(limit: number): Promise<Delivery[]>;
  /** The highest concurrency limit that the endpoint can get. */
  maxConcurrency: number;
}

/**
 * The queue of one endpoint, in this instance: the lease, the deliveries to send, and the attempts in flight. MongoDB is the
 * truth; the deliveries here are a bounded cache of it, and can be outdated until they are claimed.
 */
export function createEndpointQueue(
  destination: Destination,
  { lease, findDue, maxConcurrency }: EndpointQueueDeps,
) {
  const endpointId = destination.endpoint_id;
  let claimed: Delivery[] = [];
  let due: Delivery[] = [];
  /** No delivery is due besides the cached ones. */
  let isComplete = true;
  let reading: Promise<void> | null = null;
  let slots = 0;
  let inFlight = 0;
  const attempts = new Set<{ startedAt: number }>();
  let lastDurationMs: number | null = null;
  let concurrency = initialLimit(maxConcurrency);

  /** How quickly it responds, as far as this instance has seen. */
  function speed(now: number): 'fast' | 'slow' | 'untried' {
    for (const { startedAt } of attempts) if (now - startedAt > SLOW_MS) return 'slow';
    if (lastDurationMs === null) return 'untried';
    return lastDurationMs > SLOW_MS ? 'slow' : 'fast';
  }

  /** Whether deliveries that are not claimed may be due: they are older than a new one. */
  function mayHaveUnclaimed(): boolean {
    return due.length > 0 || !isComplete || reading !== null;
  }

  async function read(): Promise<void> {
    // Set before the read: a delivery that is added during the read, and may be missing from its result, resets it.
    isComplete = true;
    try {
      due = await findDue(MAX_CACHED);
      if (due.length === MAX_CACHED) isComplete = false;
    } catch (error) {
      isComplete = false;
      throw error;
    }
  }

  async function readIfEmpty(): Promise<void> {
    while (due.length === 0 && (reading !== null || !isComplete)) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
  }

  return {
    endpointId,
    destination,
    lease,

    /** Adds a delivery that was just stored and is due. */
    addDue(delivery: Delivery): void {
      if (isComplete && reading === null && due.length < MAX_CACHED) due.push(delivery);
      else isComplete = false;
    },

    /** Adds a delivery that was just stored, claimed by this instance. */
    addClaimed(delivery: Delivery): void {
      claimed.push(delivery);
    },

    /** The store may have due deliveries that the cache does not have: `next` reads them. */
    invalidate(): void {
      due = [];
      isComplete = false;
    },

    /** Removes the next delivery: those already claimed first, then the one that has been due longest. Null when none is due. */
    async next(): Promise<Delivery | null> {
      if (claimed.length === 0) await readIfEmpty();
      return claimed.shift() ?? due.shift() ?? null;
    },

    /** False when `next` would resolve to null. */
    mayHaveMore: () => claimed.length > 0 || mayHaveUnclaimed(),

    /** Discards the deliveries: another instance sends them, or none does. Returns those that are claimed. */
    clear(): Delivery[] {
      const discarded = claimed;
      claimed = [];
      due = [];
      isComplete = true;
      return discarded;
    },

    /** Claimed deliveries that wait for a slot. */
    get claimedAhead(): number {
      // A slot without an attempt is about to take one.
      return Math.max(0, claimed.length - (slots - attempts.size));
    },

    mayHaveUnclaimed,

    /** Slots of this instance that the endpoint occupies: a slot is free again when the endpoint has responded. */
    get slots(): number {
      return slots;
    },

    /** Attempts that are not recorded yet. The limit is for these, because a killed process repeats them. */
    get inFlight(): number {
      return inFlight;
    },

    occupySlot(): void {
      slots += 1;
      inFlight += 1;
    },

    freeSlot(): void {
      if (slots === 0) throw new Error(`${endpointId} occupies no slot.`);
      slots -= 1;
    },

    /** The attempt whose slot was freed is recorded, or did not take place. */
    settle(): void {
      if (inFlight === slots)
        throw new Error(`Every attempt to ${endpointId} that is in flight occupies a slot.`);
      inFlight -= 1;
    },

    /** How many attempts to the endpoint may be in flight at this time: one until its first attempt has ended. */
    concurrencyLimit(now: number): number {
      if (lastDurationMs === null) return 1;
      const limit = Math.floor(concurrency.limit);
      return speed(now) === 'fast' ? limit : Math.min(limit, BASE_CONCURRENCY);
    },

    /** Adapts the limit to an attempt that has ended, while it is in flight. */
    adaptLimit(attempt: Omit<EndedAttempt, 'inFlight'>): void {
      concurrency = nextLimit(concurrency, { ...attempt, inFlight }, maxConcurrency);
    },

    /** Notes the start of an attempt, in ms; the result notes its end. */
    startAttempt(now: number): (endedAt: number) => void {
      const attempt = { startedAt: now };
      attempts.add(attempt);
      return (endedAt) => {
        attempts.delete(attempt);
        lastDurationMs = endedAt - now;
      };
    },

    isTried: () => lastDurationMs !== null,
    speed,
  };
}

interface EndpointQueuesDeps {
  due: Pick<DueStore, 'findDue'>;
  leases: LeaseStore;
  leaseMs: number;
  maxConcurrencyPerEndpoint: number;
  clock: Clock;
}

/** The endpoint queues of this instance. */
export function createEndpointQueues(deps: EndpointQueuesDeps) {
  const { due, leases, clock } = deps;
  /** In the order of last use. */
  const queues = new Map<string, EndpointQueue>();

  function create(destination: Destination): EndpointQueue {
    const endpointId = destination.endpoint_id;
    return createEndpointQueue(destination, {
      lease: createEndpointLease(endpointId, deps),
      findDue: (limit) => due.findDue(endpointId, new Date(clock.now()), limit),
      maxConcurrency: deps.maxConcurrencyPerEndpoint,
    });
  }

  async function release(released: EndpointQueue[]): Promise<void> {
    const held = await Promise.all(released.map(({ lease }) => lease.giveUp()));
    await leases.release(held.filter((lease) => lease !== null));
  }

  function purge(isIdle: (queue: EndpointQueue) => boolean): void {
    for (const queue of queues.values()) {
      const isKept = queue.isTried() && queues.size <= MAX_IDLE;
      if (!isKept && isIdle(queue) && !queue.lease.isActive()) queues.delete(queue.endpointId);
    }
  }

  return {
    /** The endpoint's queue, created when there is none. */
    of({ team_id, application_id, environment, endpoint_id: endpointId }: Destination): EndpointQueue {
      const destination = { team_id, application_id, environment, endpoint_id: endpointId };
      const queue = queues.get(endpointId) ?? create(destination);
      queues.delete(endpointId);
      queues.set(endpointId, queue);
      return queue;
    },

    find: (endpointId: string) => queues.get(endpointId),

    /** Releases leases that are no longer used, and purges the queues that have been unused longest. */
    async releaseIdle(isIdle: (queue: EndpointQueue) => boolean): Promise<void> {
      await release([...queues.values()].filter((queue) => queue.lease.shouldRelease(isIdle(queue))));
      purge(isIdle);
    },

    releaseAll: () => release([...queues.values()]),
    /** Discards the deliveries of all queues. Returns those that are claimed. */
    clearAll: () => [...queues.values()].flatMap((queue) => queue.clear()),
  };
}
