/**
 * One delivery, from its slot to its record: lease → claim → attempt → retry → record. Its ports are `scheduler.ts`, which gives the slot,
 * `lease.ts`, and `store.ts`.
 */
import type { Clock } from '@tollgate/runtime/clock';
import type { Attempt, Delivery, Outcome } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type DisableDecision, isProbing } from '../health/endpoint-health.ts';
import { loadSignal } from './concurrency-limit.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import type { EndpointLease, HeldLease } from './lease.ts';
import type { DueStore } from './store.ts';

export interface DeliverDeps {
  due: Pick<DueStore, 'claim'>;
  /** How long a lease on an endpoint, and a claim of a delivery, lasts. */
  leaseMs: number;
  attempt(endpoint: Endpoint, claimed: Delivery): Promise<Attempt>;
  /** What follows an attempt: success, a retry at some time, or failure. */
  retry(claimed: Delivery, attempt: Attempt): Outcome;
  /** Resolves to false when the claim was lost meanwhile. */
  record(claimed: Delivery, attempt: Attempt, outcome: Outcome): Promise<boolean>;
  settleHealth(lease: EndpointLease, held: HeldLease, attempt: Attempt): Promise<DisableDecision | null>;
  disable(endpoint: Endpoint, decision: DisableDecision): Promise<void>;
  /** Skips or cancels the pending deliveries if the endpoint is disabled or deleted. */
  endPending(endpointId: string): Promise<void>;
  /** Notifies the instance that holds the endpoint's lease of due deliveries. If the message is lost, that instance's sweep finds them within a second. */
  notifyDue(endpointId: string): void;
  clock: Clock;
}

/** The slot of a delivery. */
export interface Slot {
  /** The delivery has left its queue: the endpoint lines up for another slot, so that its deliveries are sent concurrently. */
  lineUpAgain(): void;
  /** The endpoint has responded. Its response counts against the limit of the endpoint until it is recorded. */
  free(): void;
}

/** Returns the function that sends the next delivery of an endpoint, if it has one that may be sent now. */
export function createDeliver(deps: DeliverDeps) {
  const { due, leaseMs, clock } = deps;

  async function deliver(queue: EndpointQueue, slot: Slot): Promise<void> {
    const held = await queue.lease.hold();
    if (!held) return giveUp(queue);
    // One delivery probes whether the endpoint is reachable again; the others wait for its result.
    if (isProbing(queue.lease.healthOf(held)) && queue.inFlight > 1) return;

    const next = await queue.next();
    slot.lineUpAgain();
    const claimed = next && (await claim(next));
    if (!claimed) return;

    const startedAt = performance.now();
    const end = queue.startAttempt(startedAt);
    const attempt = await deps.attempt(held.endpoint, claimed).finally(() => end(performance.now()));
    const endedAt = performance.now();
    slot.free();

    const outcome = deps.retry(claimed, attempt);
    const isRecorded = await deps.record(claimed, attempt, outcome);
    // Otherwise another instance has claimed the delivery, and settles the health too.
    if (!isRecorded) return;

    queue.adaptLimit({ signal: loadSignal(attempt), startedAt, endedAt, durationMs: attempt.duration_ms });
    const decision = await deps.settleHealth(queue.lease, held, attempt);
    if (decision) await deps.disable(held.endpoint, decision);
    if (decision || queue.lease.healthOf(held).pausedUntil !== null) queue.lease.invalidate();
  }

  /** Another instance sends the deliveries, or none does: the endpoint is disabled, paused, or deleted. */
  async function giveUp(queue: EndpointQueue): Promise<void> {
    queue.clear();
    deps.notifyDue(queue.endpointId);
    await deps.endPending(queue.endpointId);
  }

  async function claim(delivery: Delivery): Promise<Delivery | null> {
    const now = clock.now();
    if (isClaimed(delivery, now, leaseMs)) return delivery;
    return due.claim(delivery, { now: new Date(now), leaseUntil: new Date(now + leaseMs) });
  }

  return deliver;
}

/**
 * Whether the delivery was claimed when it was stored, and at least half a lease remains: an attempt takes up to that long.
 * A claim with less time left expires.
 */
export function isClaimed({ next_attempt_at }: Delivery, now: number, leaseMs: number): boolean {
  return next_attempt_at !== null && next_attempt_at.getTime() - now >= leaseMs / 2;
}
