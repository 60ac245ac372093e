import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { SANDBOX_PAGE_PATH } from '@tollgate/contracts/payments/sandbox-payment-methods';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { VerifyActor } from '@tollgate/security/actor-token';
import { createAgeGauge } from '@tollgate/service/age-gauge';
import type { ServiceContext } from '@tollgate/service/service';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { createApprovalStore } from './approval/approval-store.ts';
import { expireRequests } from './approval/expire-requests.ts';
import { createPolicyStore } from './approval/policy-store.ts';
import { expirePayments } from './cancellation/expire-payments.ts';
import { createClockGuard } from './clock-guard.ts';
import type { PaymentsConfig } from './config.ts';
import { createErasureLog } from './erasure/erasure-log.ts';
import { purgeStreams } from './erasure/purge-streams.ts';
import { createHistoryStore } from './history/history-store.ts';
import { createPaymentSummaries } from './history/summarize-payments.ts';
import { buildCallbackHttp } from './http/callback-server.ts';
import { buildHttp } from './http/http-server.ts';
import { createPaymentMetrics } from './outbox/payment-metrics.ts';
import { createPaymentOutbox } from './outbox/payment-outbox.ts';
import { createPaymentCount } from './processing/count-open-payments.ts';
import { createLane } from './processing/lane.ts';
import { receiveCallback } from './processing/receive-callback.ts';
import { createCallerSlots } from './processors/caller-slots.ts';
import { createProcessorHealthLog } from './processors/processor-health.ts';
import { createProcessorMetrics } from './processors/processor-metrics.ts';
import { createProcessors } from './processors/registry/create-processors.ts';
import { createRouter } from './processors/routing/choose-processor.ts';
import { createPageTokens } from './processors/sandbox/page-tokens.ts';
import { createComparisonStore } from './reconciliation/comparison-store.ts';
import { createDifferenceStore } from './reconciliation/difference-store.ts';
import { createReconciler } from './reconciliation/reconciler.ts';
import { eraseByRetention } from './retention/erase-by-retention.ts';
import { createRetentionMetrics } from './retention/retention-metrics.ts';
import { createRetentionStore } from './retention/retention-store.ts';
import { type RunningApp, runApp } from './running-app.ts';
import { carryOutResets } from './sandbox-reset/carry-out-resets.ts';
import { createResetStore } from './sandbox-reset/reset-store.ts';
import { createSandboxPayments } from './sandbox-reset/sandbox-payments.ts';
import { createHistorySeals } from './seals/history-seal.ts';
import { createVerifiedPayments } from './seals/verified-payments.ts';
import { finishApprovals } from './settlement/finish-approvals.ts';
import { createPaymentStore } from './store/payment-store.ts';
import { noticeStuckPayments } from './stuck/notice-stuck-payments.ts';
import { createStuckBurstStore } from './stuck/stuck-burst-store.ts';

/** The part of the configuration that the app uses; `startService` uses the rest. */
export type AppConfig = Pick<
  PaymentsConfig,
  | 'host'
  | 'port'
  | 'advertisedUrl'
  | 'docsBaseUrl'
  | 'internalSigningKeys'
  | 'signer'
  | 'historyKeys'
  | 'callbackHost'
  | 'callbackPort'
  | 'processorsFile'
  | 'defaultProcessor'
  | 'sandboxSettlementDelayMs'
  | 'sandboxApiUrl'
  | 'sandboxPageKeys'
  | 'paymentExpiryMs'
  | 'stuckAfterMs'
>;

export interface AppDeps {
  connection: Connection;
  bus: Bus;
  audit: AuditOutbox;
  config: AppConfig;
  verifyActor: VerifyActor;
  countUnverified: CountUnverified;
  clock: Clock;
  compareClock: ServiceContext<AppConfig>['compareClock'];
  logger: Logger;
  registry: Registry;
}

export type PaymentsApp = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`; tests call the use cases and periodic tasks directly. */
export function buildApp(deps: AppDeps) {
  const { connection, bus, audit, config, verifyActor, countUnverified, clock, logger, registry } = deps;
  const seals = createHistorySeals(config.historyKeys);
  const verified = createVerifiedPayments({ seals, countUnverified, logger });
  const store = createPaymentStore(connection, seals);
  const history = createHistoryStore(connection);
  const differences = createDifferenceStore(connection);
  const comparisons = createComparisonStore(connection);
  const retention = createRetentionStore(connection);
  const policies = createPolicyStore(connection);
  const approvals = createApprovalStore(connection);
  const resets = createResetStore(connection);
  const sandboxPayments = createSandboxPayments(connection, { verified, differences });
  const idempotency = createIdempotencyStore(connection);
  const summaries = createPaymentSummaries({ history, clock });
  const publisher = createPublisher(bus);
  const stop = new AbortController();
  const outbox = createPaymentOutbox({
    store,
    verified,
    publisher,
    signer: config.signer,
    clock,
    logger,
    metrics: createPaymentMetrics(registry),
    stopping: stop.signal,
  });
  createAgeGauge(registry, {
    name: 'tollgate_payments_outbox_oldest_age_seconds',
    help: 'Age of the oldest event that is not published, across all instances',
    oldestAt: () => store.oldestUnpublishedAt(),
    connection,
    clock,
    logger,
  });
  const metrics = createProcessorMetrics(registry);
  const { adapters, routes } = config.processorsFile;
  const { sandboxSettlementDelayMs, paymentExpiryMs, stuckAfterMs, docsBaseUrl } = config;
  const pageTokens = createPageTokens(config.sandboxPageKeys);
  const { processors, close } = createProcessors({
    adapters,
    sandboxSettlementDelayMs,
    sandboxPageUrlOf: (paymentId) =>
      config.sandboxApiUrl + SANDBOX_PAGE_PATH.replace(':token', pageTokens.tokenOf(paymentId)),
    metrics,
    clock,
  });
  const health = createProcessorHealthLog();
  const processing = { store, verified, differences, outbox, processors, metrics, health, clock, logger };
  const lanes = [...processors.values()].map((processor) =>
    createLane({ ...processing, stopping: stop.signal }, processor),
  );
  const reconcilers = [...adapters.keys()].map((name) =>
    createReconciler({ ...processing, comparisons, stopping: stop.signal }, name),
  );
  const callerSlots = createCallerSlots();
  const http = buildHttp({
    ...processing,
    callerSlots,
    chooseProcessor: createRouter(processors, routes, config.defaultProcessor),
    paymentExpiryMs,
    keyring: config.internalSigningKeys,
    countUnverified,
    docsBaseUrl,
  });
  const callbackHttp = buildCallbackHttp({
    secrets: new Map([...adapters].map(([name, { secrets }]) => [name, secrets])),
    receive: (processor, callback) => receiveCallback(processing, processor, callback),
    metrics,
    countUnverified,
    clock,
    docsBaseUrl,
    logger,
  });
  const erasures = createErasureLog({ bus, connection, store, seals, verified, outbox, clock, logger });
  const unlessClockIsWrong = createClockGuard(deps);
  const retaining = {
    ...{ store, retention, verified, outbox, clock },
    metrics: createRetentionMetrics(registry),
    stopping: stop.signal,
  };
  const tasks = {
    expirePayments: unlessClockIsWrong('expire payments', () =>
      expirePayments({ ...processing, stopping: stop.signal }),
    ),
    sweepOutbox: () => outbox.sweep(),
    purgeStreams: () => purgeStreams({ store, erasures, bus, clock, stopping: stop.signal }),
    applyErasures: () => erasures.apply(),
    eraseByRetention: unlessClockIsWrong('erase by retention period', () => eraseByRetention(retaining)),
    expireApprovalRequests: () => expireRequests({ approvals, audit, signer: config.signer, clock }),
    finishApprovals: () => finishApprovals({ ...processing, approvals, seals }),
    countOpenPayments: createPaymentCount({ ...processing, stuckAfterMs }),
    noticeStuckPayments: () =>
      noticeStuckPayments({
        ...{ store, audit, clock, stuckAfterMs },
        bursts: createStuckBurstStore(connection),
        signer: config.signer,
      }),
    carryOutResets: () =>
      carryOutResets({
        resets,
        payments: sandboxPayments,
        bus,
        signer: config.signer,
        clock,
        stopping: stop.signal,
      }),
  };

  const parts = {
    seals,
    store,
    verified,
    signer: config.signer,
    history,
    summaries,
    outbox,
    differences,
    comparisons,
    retention,
    policies,
    approvals,
    resets,
    sandboxPayments,
    idempotency,
    processors,
    callerSlots,
    metrics,
    health,
    http,
    callbackHttp,
    lanes,
    reconcilers,
    tasks,
    closeProcessors: close,
    pageTokens,
  };
  return {
    ...parts,

    /** Listens, serves RPC, announces the instance, and runs the background tasks. */
    start(): Promise<RunningApp> {
      return runApp({ ...parts, audit, stuckAfterMs, stop, verifyActor, bus, config, clock, logger });
    },
  };
}
