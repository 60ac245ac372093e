import type { Clock } from '@tollgate/service-kit/clock';
import type { Logger } from '@tollgate/service-kit/logger';
import type { Attempt, Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isProbing } from '../health/endpoint-health.ts';
import type { DueStore } from './due-store.ts';
import type { HeldTurns } from './held-turns.ts';
import { createPace } from './pace.ts';
import type { DisableDecision } from './settle-health.ts';
import { createTurnOrder, type SlotLimits } from './turn-order.ts';
import type { HeldTurn } from './turn-store.ts';

export interface Dispatcher {
  /** Any number of deliveries may be due for this endpoint. Never throws and never waits. */
  wake(endpointId: string): void;
  /** One more delivery is due for this endpoint: saves the look for further ones, which the sweep finds. */
  expect(endpointId: string): void;
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
  /** Deliveries that may be due, by endpoint; infinite while there is no telling. */
  const expected = new Map<string, number>();
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
      logger.error({ err: error }, `a delivery to ${endpointId} could not be carried out; it is tried again`);
    } finally {
      order.done(endpointId);
      if (order.inFlight(endpointId) === 0 && !order.isWaiting(endpointId)) {
        await held.release(endpointId).catch((error: unknown) => {
          logger.warn({ err: error }, `the turn of ${endpointId} could not be given back; it ends by itself`);
        });
      }
      pump();
    }
  }

  async function serveOne(endpointId: string): Promise<void> {
    const turn = await held.hold(endpointId);
    if (!turn) {
      expected.delete(endpointId);
      return deps.endPending(endpointId);
    }
    // While it is tried whether there is a connection again, the others wait for the one that tries.
    if (isProbing(held.healthOf(turn)) && order.inFlight(endpointId) > 1) return;
    const now = clock.now();
    const claimed = await due.claim(endpointId, {
      now: new Date(now),
      leaseUntil: new Date(now + deps.leaseMs),
    });
    if (!claimed) {
      expected.delete(endpointId);
      return;
    }
    if (isMoreExpected(claimed)) {
      order.add(endpointId);
      pump();
    }
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

  /** Counts the delivery that was claimed, unless it is a retry, which nobody announced: it came before the one that was. */
  function isMoreExpected({ endpointId, attemptCount }: Delivery): boolean {
    const left = (expected.get(endpointId) ?? 1) - (attemptCount === 0 ? 1 : 0);
    if (left > 0) expected.set(endpointId, left);
    else expected.delete(endpointId);
    return left > 0;
  }

  function expectDue(endpointId: string, count: number): void {
    expected.set(endpointId, (expected.get(endpointId) ?? 0) + count);
    order.add(endpointId);
  }

  return {
    wake(endpointId) {
      expectDue(endpointId, Number.POSITIVE_INFINITY);
      pump();
    },

    expect(endpointId) {
      expectDue(endpointId, 1);
      pump();
    },

    async sweep() {
      if (isStopping) return;
      const { endpointIds, after } = await due.findDueEndpoints(new Date(clock.now()), sweptUpTo);
      sweptUpTo = after;
      for (const endpointId of endpointIds) expectDue(endpointId, Number.POSITIVE_INFINITY);
      pump();
    },

    async stop() {
      isStopping = true;
      while (underWay.size > 0) await Promise.all(underWay);
    },

    inFlight: order.inFlight,
  };
}
