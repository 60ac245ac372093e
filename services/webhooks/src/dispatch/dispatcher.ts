import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { type Attempt, claimedUntil, type Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isProbing } from '../health/endpoint-health.ts';
import type { DueStore } from './due-store.ts';
import type { HeldTurns } from './held-turns.ts';
import { createKnownDue } from './known-due.ts';
import { createPace } from './pace.ts';
import type { DisableDecision } from './settle-health.ts';
import { createTurnOrder, type SlotLimits } from './turn-order.ts';
import type { HeldTurn } from './turn-store.ts';

export interface Dispatcher {
  /** The endpoint, or what is due for it, has changed. Never throws and never waits. */
  wake(endpointId: string): void;
  /** New deliveries as they are to be stored: those that will have a slot at once are claimed already, which saves the write. */
  claimNew(deliveries: Delivery[]): Delivery[];
  /** It was just stored: it need not be read. */
  expect(delivery: Delivery): void;
  /** Something is due for this endpoint: whoever has its turn looks for it. */
  takeOver(endpointId: string): void;
  /** Looks for whatever is due, of every endpoint: what other instances left, retries whose time has come. */
  sweep(): Promise<void>;
  /** Takes nothing new and resolves when what is under way has ended. */
  stop(): Promise<void>;
  /** Attempts under way. */
  inFlight(endpointId?: string): number;
}

export interface DispatcherDeps {
  due: DueStore;
  held: HeldTurns;
  limits: SlotLimits;
  /** A claim ends after this time, and the delivery is due again. */
  leaseMs: number;
  attempt(endpoint: Endpoint, claimed: Delivery): Promise<{ attempt: Attempt; isRecorded: boolean }>;
  settleHealth(turn: HeldTurn, attempt: Attempt): Promise<DisableDecision | null>;
  disable(endpoint: Endpoint, decision: DisableDecision): Promise<void>;
  /** Nothing may be sent to it now: ends what is owed to it when that is because it is disabled or deleted. */
  endPending(endpointId: string): Promise<void>;
  /** Tells the instance that has the endpoint's turn, if another has it, that something is due. */
  passOn(endpointId: string): void;
  clock: Clock;
  logger: Logger;
}

/**
 * Sends what is due, endpoint by endpoint in turn. Each turn claims one delivery and lets the endpoint line up again at once, so that its further
 * deliveries go out beside it, as far as its slots allow.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { due, held, clock, logger } = deps;
  // Not the injected clock: how quickly a receiver answers is a matter of real time.
  const pace = createPace();
  const order = createTurnOrder(deps.limits, {
    isQuick: (endpointId) => pace.isQuick(endpointId, performance.now()),
    isKnown: pace.isKnown,
  });
  const underWay = new Set<Promise<void>>();
  const known = createKnownDue((endpointId, limit) => due.findDue(endpointId, new Date(clock.now()), limit));
  let sweptUpTo = '';
  let isStopping = false;

  function pump(): void {
    while (!isStopping) {
      const endpointId = order.next();
      if (endpointId === null) return;
      const done: Promise<void> = serve(endpointId).finally(() => underWay.delete(done));
      underWay.add(done);
    }
  }

  async function serve(endpointId: string): Promise<void> {
    try {
      await serveOne(endpointId);
    } catch (error) {
      logger.error(
        { err: error, endpoint_id: endpointId },
        'a delivery could not be carried out; it is tried again',
      );
    } finally {
      order.done(endpointId);
      pump();
    }
  }

  async function serveOne(endpointId: string): Promise<void> {
    const turn = await held.hold(endpointId);
    if (!turn) {
      known.forget(endpointId);
      deps.passOn(endpointId);
      return deps.endPending(endpointId);
    }
    // While it is tried whether there is a connection again, the others wait for the one that tries.
    if (isProbing(held.healthOf(turn)) && order.inFlight(endpointId) > 1) return;
    const next = await known.next(endpointId);
    if (known.mayHaveMore(endpointId)) {
      order.add(endpointId);
      pump();
    }
    if (!next) return;
    const now = clock.now();
    const claimed = isClaimed(next, now)
      ? next
      : await due.claim(next, { now: new Date(now), leaseUntil: new Date(now + deps.leaseMs) });
    if (!claimed) return;

    const ended = pace.start(endpointId, performance.now());
    let made: Awaited<ReturnType<DispatcherDeps['attempt']>>;
    try {
      made = await deps.attempt(turn.endpoint, claimed);
    } finally {
      ended(performance.now());
    }
    // An attempt that was not recorded is somebody else's by now, and so is what follows from it.
    if (!made.isRecorded) return;
    const decision = await deps.settleHealth(turn, made.attempt);
    if (decision) {
      await deps.disable(turn.endpoint, decision);
      held.forget(endpointId);
    } else if (held.healthOf(turn).pausedUntil !== null) {
      held.forget(endpointId);
    }
  }

  /** Since it was new, and for long enough: an attempt takes half a lease at most. A claim that ends earlier is left to end. */
  function isClaimed({ nextAttemptAt }: Delivery, now: number): boolean {
    return nextAttemptAt !== null && nextAttemptAt.getTime() - now >= deps.leaseMs / 2;
  }

  function lookFor(endpointId: string): void {
    known.lookFor(endpointId);
    order.add(endpointId);
  }

  const isIdle = (endpointId: string) => order.inFlight(endpointId) === 0 && !order.isWaiting(endpointId);

  return {
    wake(endpointId) {
      held.forget(endpointId);
      lookFor(endpointId);
      pump();
    },

    claimNew(deliveries) {
      const hasSlot = order.foresee();
      const leaseUntil = new Date(clock.now() + deps.leaseMs);
      return deliveries.map((delivery) => {
        const { endpointId, status } = delivery;
        const goesAtOnce =
          !isStopping && status === 'pending' && held.isHeld(endpointId) && hasSlot(endpointId);
        return goesAtOnce ? claimedUntil(delivery, leaseUntil) : delivery;
      });
    },

    expect(delivery) {
      if (isClaimed(delivery, clock.now())) known.addClaimed(delivery);
      else known.add(delivery);
      order.add(delivery.endpointId);
      pump();
    },

    takeOver(endpointId) {
      if (!held.isHeld(endpointId)) return;
      lookFor(endpointId);
      pump();
    },

    async sweep() {
      if (isStopping) return;
      const { endpointIds, after } = await due.findDueEndpoints(new Date(clock.now()), sweptUpTo);
      sweptUpTo = after;
      endpointIds.forEach(lookFor);
      pump();
      await held.releaseIdle(isIdle);
    },

    async stop() {
      isStopping = true;
      while (underWay.size > 0) await Promise.all(underWay);
      await held.releaseAll().catch((error: unknown) => {
        logger.warn({ err: error }, 'turns could not be given back; they end by themselves');
      });
    },

    inFlight: order.inFlight,
  };
}
