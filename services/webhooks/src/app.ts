import { publishText, subscribeText } from '@tollgate/bus/announce';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { WEBHOOKS_DUE_SUBJECT } from '@tollgate/contracts/platform/streams';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { createEventReconciler } from '@tollgate/service/event-reconciler';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { type AppDeps, type Context, createShared } from './context.ts';
import { afterAttempt } from './deliveries/delivery.ts';
import { attemptDelivery, recordAttempt } from './dispatch/attempt.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { slotLimits } from './dispatch/scheduler.ts';
import { settleHealth } from './dispatch/settle-health.ts';
import { disableByPlatform } from './endpoints/disable-endpoint.ts';
import { endPending } from './endpoints/pending-deliveries.ts';
import { repeatErasures } from './erasure/erase-payments.ts';
import { consumeEvents } from './fan-out/consume-events.ts';
import { fanOutInBatches, fanOutMissing } from './fan-out/fan-out-events.ts';
import { createPlacer } from './feed/place-events.ts';
import { serveWebhooksRpc } from './rpc.ts';

const DUE_SWEEP_INTERVAL_MS = 1_000;
const PLACING_INTERVAL_MS = 250;
const REPEATING_INTERVAL_MS = 10_000;
/** The period that the very first reconciliation covers: as long as the stream keeps events. */
const FIRST_PERIOD_MS = 7 * DAY_MS;

export type App = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps) {
  const stopping = new AbortController();
  const shared = createShared(deps, stopping.signal, () => dispatcher.slots());
  const { bus, agents, clock, logger, metrics, verifyActor, verifyEvent } = shared;
  const dispatcher = createDispatcher({
    ...shared,
    limits: slotLimits(deps.concurrency),
    attempt: (endpoint, claimed) => attemptDelivery(shared, endpoint, claimed),
    retry: (claimed, attempt) =>
      afterAttempt(claimed, attempt, { now: new Date(clock.now()), random: shared.random() }),
    record: (claimed, attempt, outcome) => recordAttempt(shared, claimed, attempt, outcome),
    settleHealth: (lease, held, attempt) => settleHealth(shared, lease, held, attempt),
    disable: (endpoint, decision) => disableByPlatform(shared, endpoint, decision),
    async endPending(endpointId) {
      const endpoint = await shared.leases.findOfAllTeams(endpointId);
      if (endpoint) await endPending(shared, endpoint);
    },
    notifyDue: (endpointId) => publishText(bus, WEBHOOKS_DUE_SUBJECT, endpointId),
  });
  const context: Context = { ...shared, dispatcher };
  const fanOut = fanOutInBatches(context);
  const placeInFeed = createPlacer(context);
  const reconciler = createEventReconciler({
    ...context,
    firstSince: new Date(clock.now() - FIRST_PERIOD_MS),
    takeMissing: (missing) => fanOutMissing(context, missing),
    onReconciled: metrics.countReconciled,
  });
  const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) => () =>
    startPeriodic({ name, intervalMs, run, logger });

  /** In the order in which they start and stop. */
  const parts: (() => { stop(): unknown })[] = [
    () => serveWebhooksRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
    () => subscribeText(bus, WEBHOOKS_DUE_SUBJECT, dispatcher.wakeIfLeased),
    () => consumeEvents(bus, { fanOut, verify: verifyEvent, logger }),
    periodic('place events in the feed', PLACING_INTERVAL_MS, placeInFeed),
    periodic('repeat erasures', REPEATING_INTERVAL_MS, () => repeatErasures(context)),
    () => reconciler.start(),
    periodic('send due deliveries', deps.dueSweepIntervalMs ?? DUE_SWEEP_INTERVAL_MS, dispatcher.sweep),
    () => dispatcher,
  ];
  const running: { stop(): unknown }[] = [];

  return {
    context,
    dispatcher,
    /** Stores a delivery of the event for each subscribed endpoint, like the consumer of the stream. */
    fanOut,
    /** When a reconciliation is due, fans out the events that were never received as messages. */
    reconcileIfDue: reconciler.reconcileIfDue,
    /** Gives stored events their places in the feed. */
    placeInFeed,
    /** Repeats erasures, for responses that attempts in flight have recorded since. */
    repeatErasures: () => repeatErasures(context),

    /** Serves RPC, fans out, delivers, and reconciles. */
    start(): void {
      for (const start of parts) running.push(start());
    },

    /** Stops accepting calls and messages, and finishes the attempts in flight. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const part of running.splice(0)) await part.stop();
      await context.fannedOut.drain();
      await Promise.all([agents.live.close(), agents.sandbox.close()]);
    },
  };
}
