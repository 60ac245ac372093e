import { randomUUID } from 'node:crypto';
import type { Bus } from '@tollgate/bus/connection';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  type AddressPolicy,
  type AddressPolicyOptions,
  createAddressPolicy,
} from '@tollgate/outbound/address-policy';
import { type CheckedAgent, createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { createLookup, type Lookup } from '@tollgate/outbound/look-up-host';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import { createEventReconciler } from '@tollgate/service/event-reconciler';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Context } from './context.ts';
import type { Delivery } from './deliveries/delivery.ts';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import { attemptDelivery, recordAttempt } from './dispatch/attempt-delivery.ts';
import { createBodyCache } from './dispatch/body-cache.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { createDueBacklog } from './dispatch/due-backlog.ts';
import { notifyDue, subscribeToDue } from './dispatch/due-notifications.ts';
import { createDueStore } from './dispatch/due-store.ts';
import { createLeaseStore } from './dispatch/lease-store.ts';
import { settleHealth } from './dispatch/settle-health.ts';
import { slotLimits } from './dispatch/slot-scheduler.ts';
import { createApplicationDirectory } from './endpoints/application-directory.ts';
import { disableByPlatform } from './endpoints/disable-endpoint.ts';
import { endPending } from './endpoints/end-pending.ts';
import { createEndpointStore } from './endpoints/endpoint-store.ts';
import { eraseWhatEventsSay, repeatErasures } from './erasure/erase-payments.ts';
import { createErasureStore } from './erasure/erasure-store.ts';
import { consumeEvents } from './fan-out/consume-events.ts';
import { createEventStore } from './fan-out/event-store.ts';
import { fanOutInBatches, fanOutMissing } from './fan-out/fan-out-events.ts';
import { createFannedOutMarks } from './fan-out/fanned-out-marks.ts';
import { createFeedStore } from './feed/feed-store.ts';
import { createPlacer } from './feed/place-events.ts';
import { announceChanges } from './live/announce-changes.ts';
import { serveSandboxResetRpc } from './rpc/sandbox-reset.ts';
import { serveWebhooksRpc } from './rpc.ts';
import { deleteWhatWasReset } from './sandbox-reset/delete-sandbox-data.ts';
import { createResetMarks } from './sandbox-reset/reset-marks.ts';
import { createSandboxData } from './sandbox-reset/sandbox-data.ts';
import { createSecretCache } from './secrets/secret-cache.ts';
import { createSecretCipher } from './secrets/secret-cipher.ts';
import { TOTAL_DEADLINE_MS } from './sending/send-webhook.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

/** Twice the deadline of an attempt, so an attempt outlives its claim only when its process is suspended. */
const LEASE_MS = 30_000;
const DUE_SWEEP_INTERVAL_MS = 1_000;
const PLACING_INTERVAL_MS = 250;
const REPEATING_INTERVAL_MS = 10_000;
/** The period that the very first reconciliation covers: as long as the stream keeps events. */
const FIRST_PERIOD_MS = 7 * DAY_MS;

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  signer: Signer;
  encryptionKeys: Keyring;
  verifier: SignatureVerifier;
  countUnverified: CountUnverified;
  verifyActor: VerifyActor;
  /** Returns why a payment event fails verification, or null. */
  verifyEvent: VerifyMessage;
  /** Returns why an order to reset a sandbox fails verification, or null. */
  verifyReset: VerifyMessage;
  addresses: AddressPolicyOptions;
  /** Maximum number of attempts in flight. */
  concurrency: number;
  /** The highest limit that the concurrency of one endpoint can reach. */
  maxConcurrencyPerEndpoint: number;
  clock: Clock;
  logger: Logger;
  /** Registry of the service's metrics. */
  registry: Registry;
  lookup?: Lookup;
  random?: () => number;
  /** Set by tests: no setting lets a live event be sent to this machine. */
  agents?: Record<Environment, CheckedAgent>;
  leaseMs?: number;
  deadlineMs?: number;
  /** Interval between searches for due deliveries. */
  dueSweepIntervalMs?: number;
}

export interface App {
  context: Context;
  dispatcher: Dispatcher;
  /** Stores a delivery of the event for each subscribed endpoint, like the consumer of the stream. */
  fanOut(event: PaymentEvent): Promise<void>;
  /** When a reconciliation is due, fans out the events that were never received as messages. */
  reconcileIfDue(): Promise<void>;
  /** Gives stored events their places in the feed. */
  placeInFeed(): Promise<void>;
  /** Repeats erasures, for responses that attempts in flight have recorded since. */
  repeatErasures(): Promise<void>;
  /** Serves RPC, fans out, delivers, and reconciles. */
  start(): void;
  /** Stops accepting calls and messages, and finishes the attempts in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const {
    bus,
    connection,
    audit,
    signer,
    clock,
    logger,
    lookup = createLookup(deps.addresses),
    leaseMs = LEASE_MS,
    dueSweepIntervalMs = DUE_SWEEP_INTERVAL_MS,
  } = deps;
  const endpoints = createEndpointStore(connection);
  const deliveries = createDeliveryStore(connection);
  const events = createEventStore(connection);
  const feed = createFeedStore(connection);
  const erasures = createErasureStore(connection);
  const stopping = new AbortController();
  const holder = randomUUID();
  const policy = createAddressPolicy(deps.addresses);
  const cipher = createSecretCipher(deps.encryptionKeys);
  const { agents = createAgents({ policy, lookup }) } = deps;

  const announce = announceChanges(bus);
  const due = createDueStore(connection);
  const leases = createLeaseStore(connection, holder);
  const bodies = createBodyCache(events, clock);
  const sender = {
    due,
    bodies,
    secrets: createSecretCache(cipher),
    agents,
    announce,
    deadlineMs: deps.deadlineMs ?? TOTAL_DEADLINE_MS,
    clock,
    random: deps.random ?? Math.random,
    logger,
  };
  const metrics = createWebhookMetrics(deps.registry, {
    ...createDueBacklog(connection, { clock, logger }),
    inFlight: () => dispatcher.slots(),
  });
  const enqueueAudit = (id: string, entry: Parameters<typeof auditMessage>[1]) =>
    audit.enqueue([auditMessage(id, entry)]);
  const dispatcher = createDispatcher({
    due,
    leases,
    limits: slotLimits(deps.concurrency),
    maxConcurrencyPerEndpoint: deps.maxConcurrencyPerEndpoint,
    leaseMs,
    async attempt(endpoint, claimed) {
      const attempted = await attemptDelivery(sender, endpoint, claimed);
      metrics.observeAttempt(claimed, attempted.attempt);
      return attempted;
    },
    async record(claimed, attempted) {
      const isRecorded = await recordAttempt(sender, claimed, attempted);
      if (!isRecorded) metrics.countLostClaim();
      return isRecorded;
    },
    settleHealth: (lease, held, attempt) =>
      settleHealth({ clock, signer, enqueueAudit, announce, logger }, lease, held, attempt),
    disable: (endpoint, decision) =>
      disableByPlatform(
        { endpoints, deliveries, audit, signer, announce, clock, logger },
        endpoint,
        decision,
      ),
    async endPending(endpointId) {
      const endpoint = await leases.findOfAllTeams(endpointId);
      if (endpoint) await endPending({ deliveries, announce }, endpoint);
    },
    notifyDue: (endpointId) => notifyDue(bus, endpointId),
    clock,
    logger,
  });

  const context: Context = {
    endpoints,
    deliveries,
    events,
    feed,
    idempotency: createIdempotencyStore(connection),
    queries: createTeamQueries(),
    applications: createApplicationDirectory(bus, deps),
    cipher,
    policy,
    lookup,
    dispatcher,
    audit,
    signer,
    announce,
    stopping: stopping.signal,
    clock,
    logger,
  };
  const placeInFeed = createPlacer({ feed, holder, clock });
  const erasing = { erasures, events, deliveries, bodies, clock };
  const resetting = { marks: createResetMarks(connection), data: createSandboxData(connection) };
  const marks = createFannedOutMarks({ events, clock, logger });
  const fanOut = {
    events,
    endpoints,
    deliveries: {
      async insertMissing(pending: Delivery[]) {
        const inserted = await deliveries.insertMissing(pending);
        metrics.countFannedOut(inserted.length);
        return inserted;
      },
    },
    dispatcher,
    bodies,
    marks,
    announce,
    eraseWhatEventsSay: (received: readonly PaymentEvent[]) => eraseWhatEventsSay(erasing, received),
    findReset: resetting.marks.findDeleted,
    deleteWhatWasReset: (received: readonly PaymentEvent[]) => deleteWhatWasReset(resetting, received),
    clock,
  };
  const fanOutEvent = fanOutInBatches(fanOut);
  const reconciler = createEventReconciler({
    bus,
    connection,
    firstSince: new Date(clock.now() - FIRST_PERIOD_MS),
    takeMissing: (missing) => fanOutMissing(fanOut, missing),
    verifyEvent: deps.verifyEvent,
    onReconciled: metrics.countReconciled,
    clock,
    logger,
  });
  const running: { stop(): unknown }[] = [];

  return {
    context,
    dispatcher,
    fanOut: fanOutEvent,
    reconcileIfDue: reconciler.reconcileIfDue,
    placeInFeed,
    repeatErasures: () => repeatErasures(erasing),

    start() {
      const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) =>
        startPeriodic({ name, intervalMs, run, logger });
      const delivering = periodic('send due deliveries', dueSweepIntervalMs, dispatcher.sweep);
      running.push(
        serveWebhooksRpc(bus, context, {
          verifyActor: deps.verifyActor,
          isUnavailable: isStoreUnavailable,
          logger,
        }),
      );
      running.push(serveSandboxResetRpc(bus, { ...resetting, verifyReset: deps.verifyReset }, { logger }));
      running.push(subscribeToDue(bus, dispatcher.wakeIfLeased));
      running.push(consumeEvents(bus, { fanOut: fanOutEvent, verify: deps.verifyEvent, logger }));
      running.push(periodic('place events in the feed', PLACING_INTERVAL_MS, placeInFeed));
      running.push(periodic('repeat erasures', REPEATING_INTERVAL_MS, () => repeatErasures(erasing)));
      running.push(reconciler.start(), delivering, dispatcher);
    },

    async stop() {
      stopping.abort();
      for (const part of running.splice(0)) await part.stop();
      await marks.drain();
      await Promise.all([agents.live.close(), agents.sandbox.close()]);
    },
  };
}

function createAgents(options: { policy: AddressPolicy; lookup: Lookup }): Record<Environment, CheckedAgent> {
  return {
    live: createCheckedAgent({ environment: 'live', ...options }),
    sandbox: createCheckedAgent({ environment: 'sandbox', ...options }),
  };
}
