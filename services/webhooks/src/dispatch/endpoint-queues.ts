import type { Clock } from '@tollgate/runtime/clock';
import type { DueStore } from './due-store.ts';
import { createEndpointLease } from './endpoint-lease.ts';
import { createEndpointQueue, type EndpointQueue } from './endpoint-queue.ts';
import type { LeaseStore } from './lease-store.ts';

/** Idle queues that are kept, because they know how quickly their endpoint responds. */
const MAX_IDLE = 10_000;

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

  function create(endpointId: string): EndpointQueue {
    return createEndpointQueue(endpointId, {
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
    of(endpointId: string): EndpointQueue {
      const queue = queues.get(endpointId) ?? create(endpointId);
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
