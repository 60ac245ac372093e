import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type Attempt, claimedUntil, type Delivery, type Outcome } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type DisableDecision, isProbing } from '../health/endpoint-health.ts';
import { loadSignal } from './concurrency-limit.ts';
import type { DueStore } from './due-store.ts';
import type { EndpointLease } from './endpoint-lease.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { createEndpointQueues } from './endpoint-queues.ts';
import type { HeldLease, LeaseStore } from './lease-store.ts';
import { createSlotScheduler, type SlotLimits } from './slot-scheduler.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** An attempt that has ended, and what becomes of its delivery. */
export interface Attempted {
  attempt: Attempt;
  outcome: Outcome;
}

export interface DispatcherDeps {
  due: DueStore;
  leases: LeaseStore;
  limits: SlotLimits;
  maxConcurrencyPerEndpoint: number;
  /** How long a lease on an endpoint, and a claim of a delivery, lasts. */
  leaseMs: number;
  attempt(endpoint: Endpoint, claimed: Delivery): Promise<Attempted>;
  /** Resolves to false when the claim was lost meanwhile. */
  record(claimed: Delivery, attempted: Attempted): Promise<boolean>;
  settleHealth(lease: EndpointLease, held: HeldLease, attempt: Attempt): Promise<DisableDecision | null>;
  disable(endpoint: Endpoint, decision: DisableDecision): Promise<void>;
  /** Skips or cancels the pending deliveries if the endpoint is disabled or deleted. */
  endPending(endpointId: string): Promise<void>;
  /** Notifies the instance that holds the endpoint's lease of due deliveries. If the message is lost, that instance's sweep finds them within a second. */
  notifyDue(endpointId: string): void;
  clock: Clock;
  logger: Logger;
}

/** A delivery to whose attempt the endpoint has responded, or failed to. */
interface Responded extends Attempted {
  held: HeldLease;
  claimed: Delivery;
  startedAt: number;
  endedAt: number;
}

/**
 * Sends due deliveries, endpoint by endpoint. A slot serves one delivery. As soon as the delivery is taken from its queue, the
 * endpoint lines up for another slot, so that its deliveries are sent concurrently, up to its limit. The slot is free again
 * when the endpoint has responded; the response counts against the limit of the endpoint until it is recorded.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { due, leaseMs, clock, logger } = deps;
  const queues = createEndpointQueues(deps);
  // Not the injected clock: the duration of a response is real time.
  const scheduler = createSlotScheduler(deps.limits, () => performance.now());
  const serving = new Set<Promise<void>>();
  let sweptUpTo = '';
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
    try {
      const responded = await request(queue).finally(() => {
        scheduler.freeSlot(queue);
        fillSlots();
      });
      if (responded) await settle(queue, responded);
    } catch (error) {
      logger.error({ err: error, endpoint_id: queue.endpointId }, 'delivery failed unexpectedly; retrying');
    } finally {
      scheduler.settle(queue);
      fillSlots();
    }
  }

  /** Sends the next delivery of the endpoint. Null when there is none, or when it must not be sent now. */
  async function request(queue: EndpointQueue): Promise<Responded | null> {
    const held = await queue.lease.hold();
    if (!held) {
      queue.clear();
      deps.notifyDue(queue.endpointId);
      await deps.endPending(queue.endpointId);
      return null;
    }
    // One delivery probes whether the endpoint is reachable again; the others wait for its result.
    if (isProbing(queue.lease.healthOf(held)) && queue.inFlight > 1) return null;
    const delivery = await queue.next();
    if (queue.mayHaveMore()) {
      scheduler.enqueue(queue);
      fillSlots();
    }
    const claimed = delivery && (await claim(delivery));
    return claimed && send(queue, held, claimed);
  }

  async function claim(delivery: Delivery): Promise<Delivery | null> {
    const now = clock.now();
    if (isClaimed(delivery, now)) return delivery;
    return due.claim(delivery, { now: new Date(now), leaseUntil: new Date(now + leaseMs) });
  }

  /**
   * Whether the delivery was claimed when it was stored, and at least half a lease remains: an attempt takes up to that long.
   * A claim with less time left expires.
   */
  function isClaimed({ next_attempt_at }: Delivery, now: number): boolean {
    return next_attempt_at !== null && next_attempt_at.getTime() - now >= leaseMs / 2;
  }

  async function send(queue: EndpointQueue, held: HeldLease, claimed: Delivery): Promise<Responded> {
    const startedAt = performance.now();
    const end = queue.startAttempt(startedAt);
    const attempted = await deps.attempt(held.endpoint, claimed).finally(() => end(performance.now()));
    return { held, claimed, startedAt, endedAt: performance.now(), ...attempted };
  }

  async function settle(queue: EndpointQueue, responded: Responded): Promise<void> {
    const { held, claimed, attempt, outcome, startedAt, endedAt } = responded;
    const isRecorded = await deps.record(claimed, { attempt, outcome });
    // Otherwise another instance has claimed the delivery, and settles the health too.
    if (!isRecorded) return;
    queue.adaptLimit({ signal: loadSignal(attempt), startedAt, endedAt, durationMs: attempt.duration_ms });
    const decision = await deps.settleHealth(queue.lease, held, attempt);
    if (decision) await deps.disable(held.endpoint, decision);
    if (decision || queue.lease.healthOf(held).pausedUntil !== null) queue.lease.invalidate();
  }

  function enqueueStored(queue: EndpointQueue): void {
    queue.invalidate();
    scheduler.enqueue(queue);
  }

  return {
    /** Call when the endpoint or its deliveries have changed. Neither throws nor waits. */
    wake(endpointId: string): void {
      const queue = queues.of(endpointId);
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

    /** Returns new deliveries as they must be stored: claimed, which saves a write, if they will get a slot immediately. */
    claimNew<New extends Delivery>(deliveries: New[]): New[] {
      const getsSlot = scheduler.foresee();
      const leaseUntil = new Date(clock.now() + leaseMs);
      return deliveries.map((delivery) => {
        const queue = queues.find(delivery.endpoint_id);
        const isSentNow =
          !isStopping && delivery.status === 'pending' && queue?.lease.isHeld() && getsSlot(queue);
        return isSentNow ? claimedUntil(delivery, leaseUntil) : delivery;
      });
    },

    /** Adds a new delivery that was just stored, without a read. */
    enqueue(delivery: Delivery): void {
      const queue = queues.of(delivery.endpoint_id);
      if (isClaimed(delivery, clock.now())) queue.addClaimed(delivery);
      else queue.addDue(delivery);
      scheduler.enqueue(queue);
      fillSlots();
    },

    /** Finds the endpoints of all due deliveries: retries, and those that a dead instance left behind. */
    async sweep(): Promise<void> {
      if (isStopping) return;
      const { endpointIds, after } = await due.findDueEndpoints(new Date(clock.now()), sweptUpTo);
      sweptUpTo = after;
      for (const endpointId of endpointIds) enqueueStored(queues.of(endpointId));
      fillSlots();
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
