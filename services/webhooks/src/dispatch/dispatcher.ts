import type { Logger } from '@tollgate/runtime/logger';
import { claimedUntil, type Delivery, type Destination } from '../deliveries/delivery.ts';
import { createDeliver, type DeliverDeps, isClaimed } from './deliver.ts';
import { createEndpointQueues, type EndpointQueue } from './endpoint-queue.ts';
import type { LeaseStore } from './lease.ts';
import { createScheduler, type SlotLimits } from './scheduler.ts';
import type { DueStore } from './store.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

export interface DispatcherDeps extends DeliverDeps {
  due: DueStore;
  leases: LeaseStore;
  limits: SlotLimits;
  maxConcurrencyPerEndpoint: number;
  logger: Logger;
}

/** Fills the slots of this instance with the due deliveries that it learns of: new ones, notified ones, and those that its sweep finds. */
export function createDispatcher(deps: DispatcherDeps) {
  const { due, leaseMs, clock, logger } = deps;
  const queues = createEndpointQueues(deps);
  // Not the injected clock: the duration of a response is real time.
  const scheduler = createScheduler(deps.limits, () => performance.now());
  const deliver = createDeliver(deps);
  const serving = new Set<Promise<void>>();
  let sweptUpTo = '';
  let hasSweptAll = false;
  let isStopping = false;

  function fillSlots(): void {
    while (!isStopping) {
      const queue = scheduler.next();
      if (queue === null) return;
      const served: Promise<void> = serve(queue).finally(() => serving.delete(served));
      serving.add(served);
    }
  }

  async function serve(queue: EndpointQueue): Promise<void> {
    let isFree = false;
    const slot = {
      lineUpAgain() {
        if (!queue.mayHaveMore()) return;
        scheduler.enqueue(queue);
        fillSlots();
      },
      free() {
        if (isFree) return;
        isFree = true;
        scheduler.freeSlot(queue);
        fillSlots();
      },
    };
    try {
      await deliver(queue, slot);
    } catch (error) {
      logger.error({ err: error, endpoint_id: queue.endpointId }, 'delivery failed unexpectedly; retrying');
    } finally {
      slot.free();
      scheduler.settle(queue);
      fillSlots();
    }
  }

  function enqueueStored(queue: EndpointQueue): void {
    queue.invalidate();
    scheduler.enqueue(queue);
  }

  return {
    /** Call when the endpoint or its deliveries have changed. Neither throws nor waits. */
    wake(destination: Destination): void {
      const queue = queues.of(destination);
      queue.lease.invalidate();
      enqueueStored(queue);
      fillSlots();
    },

    /** Call when another instance has stored due deliveries: they are sent if this instance holds the endpoint's lease. */
    wakeIfLeased(endpointId: string): void {
      const queue = queues.find(endpointId);
      if (!queue?.lease.isHeld()) return;
      enqueueStored(queue);
      fillSlots();
    },

    /** Returns new deliveries as they must be stored: claimed, which saves a write, if they will get a slot within moments. */
    claimNew<New extends Delivery>(deliveries: New[]): New[] {
      const isSentSoon = scheduler.foresee();
      const leaseUntil = new Date(clock.now() + leaseMs);
      return deliveries.map((delivery) => {
        const queue = queues.find(delivery.endpoint_id);
        const isClaimedNow =
          !isStopping && delivery.status === 'pending' && queue?.lease.isHeld() && isSentSoon(queue);
        return isClaimedNow ? claimedUntil(delivery, leaseUntil) : delivery;
      });
    },

    /** Adds a new delivery that was just stored, without a read. */
    enqueue(delivery: Delivery): void {
      const queue = queues.of(delivery);
      if (isClaimed(delivery, clock.now(), leaseMs)) queue.addClaimed(delivery);
      else queue.addDue(delivery);
      scheduler.enqueue(queue);
      fillSlots();
    },

    /**
     * Finds the endpoints of due deliveries: retries, and those that a dead instance left behind. The first sweep reads them all, so that
     * none waits for a later one after a restart.
     */
    async sweep(): Promise<void> {
      do {
        if (isStopping) return;
        const { destinations, after } = await due.findDueEndpoints(new Date(clock.now()), sweptUpTo);
        sweptUpTo = after;
        for (const destination of destinations) enqueueStored(queues.of(destination));
        fillSlots();
      } while (!hasSweptAll && sweptUpTo !== '');
      hasSweptAll = true;
      await queues.releaseIdle(scheduler.isIdle);
    },

    /** Starts no more attempts, and resolves when those in flight have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      while (serving.size > 0) await Promise.all(serving);
      try {
        await due.release(queues.clearAll(), new Date(clock.now()));
        await queues.releaseAll();
      } catch (error) {
        logger.warn({ err: error }, 'releasing claims and leases failed; they expire');
      }
    },

    /** Attempts that are not recorded yet, to one endpoint or to all. */
    inFlight: (endpointId?: string): number =>
      endpointId === undefined ? scheduler.inFlight() : (queues.find(endpointId)?.inFlight ?? 0),
    /** Requests without a response yet. */
    slots: scheduler.slots,
  };
}
