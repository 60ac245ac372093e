import type { AddressInfo } from 'node:net';
import type { Bus } from '@tollgate/bus/connection';
import { httpOrigin } from '@tollgate/http/http-origin';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { FastifyInstance } from 'fastify';
import type { ApprovalStore } from './approval/approval-store.ts';
import type { PolicyStore } from './approval/policy-store.ts';
import type { PaymentsConfig } from './config.ts';
import type { HistoryStore } from './history/history-store.ts';
import type { PaymentSummaries } from './history/summarize-payments.ts';
import { closeHttp } from './http/http-server.ts';
import { createInstanceAnnouncer } from './http/instance-announcer.ts';
import type { PaymentOutbox } from './outbox/payment-outbox.ts';
import type { Lane } from './processing/lane.ts';
import type { CallerSlots } from './processors/caller-slots.ts';
import type { Processors } from './processors/processor.ts';
import type { ProcessorHealthLog } from './processors/processor-health.ts';
import type { ProcessorMetrics } from './processors/processor-metrics.ts';
import type { PageTokens } from './processors/sandbox/page-tokens.ts';
import type { ComparisonStore } from './reconciliation/comparison-store.ts';
import type { DifferenceStore } from './reconciliation/difference-store.ts';
import type { Reconciler } from './reconciliation/reconciler.ts';
import type { RetentionStore } from './retention/retention-store.ts';
import { servePaymentsRpc } from './rpc.ts';
import type { ResetStore } from './sandbox-reset/reset-store.ts';
import type { HistorySeals } from './seals/history-seal.ts';
import type { VerifiedPayments } from './seals/verified-payments.ts';
import type { PaymentStore } from './store/payment-store.ts';

const ANNOUNCEMENT_INTERVAL_MS = 1_000;
const LANE_INTERVAL_MS = 250;
const EXPIRY_INTERVAL_MS = 10_000;
const SWEEP_INTERVAL_MS = 2_000;
const COUNT_INTERVAL_MS = 15_000;
/** `STUCK_AFTER` is minutes or longer. */
const STUCK_INTERVAL_MS = 60_000;
const PURGE_INTERVAL_MS = 15_000;
const REAPPLY_INTERVAL_MS = 60_000;
const RETENTION_INTERVAL_MS = 60_000;
const RECONCILIATION_INTERVAL_MS = 30_000;
const APPROVAL_INTERVAL_MS = 10_000;
const RESET_INTERVAL_MS = 1_000;

/** The steps of a graceful stop, in order. */
export interface RunningApp {
  /** The address at which gateways reach this instance. */
  url: string;
  /** Gateways send no new requests after this. */
  announceDraining(): Promise<void>;
  /** Completes requests in flight and closes the listener. */
  stopServing(): Promise<void>;
  /** Stops the background work and publishes pending events. */
  stopWorking(): Promise<void>;
}

export interface BackgroundTasks {
  expirePayments(): Promise<unknown>;
  sweepOutbox(): Promise<unknown>;
  purgeStreams(): Promise<unknown>;
  applyErasures(): Promise<unknown>;
  eraseByRetention(): Promise<unknown>;
  expireApprovalRequests(): Promise<unknown>;
  finishApprovals(): Promise<unknown>;
  countOpenPayments(): Promise<unknown>;
  noticeStuckPayments(): Promise<unknown>;
  carryOutResets(): Promise<unknown>;
}

/** Starts every part of the service that runs by itself, from the first request to the last event. */
export async function runApp(deps: {
  http: FastifyInstance;
  callbackHttp: FastifyInstance;
  closeProcessors(): Promise<void>;
  pageTokens: PageTokens;
  processors: Processors;
  callerSlots: CallerSlots;
  metrics: ProcessorMetrics;
  health: ProcessorHealthLog;
  stuckAfterMs: number;
  store: PaymentStore;
  seals: HistorySeals;
  verified: VerifiedPayments;
  history: HistoryStore;
  summaries: PaymentSummaries;
  outbox: PaymentOutbox;
  audit: AuditOutbox;
  signer: Signer;
  lanes: Lane[];
  differences: DifferenceStore;
  comparisons: ComparisonStore;
  retention: RetentionStore;
  policies: PolicyStore;
  approvals: ApprovalStore;
  resets: ResetStore;
  idempotency: IdempotencyStore;
  reconcilers: Reconciler[];
  tasks: BackgroundTasks;
  bus: Bus;
  verifyActor: VerifyActor;
  config: Pick<
    PaymentsConfig,
    'host' | 'port' | 'advertisedUrl' | 'callbackHost' | 'callbackPort' | 'internalSigningKeys'
  >;
  clock: Clock;
  logger: Logger;
  /** Aborted when the background work must stop. */
  stop: AbortController;
}): Promise<RunningApp> {
  const { http, callbackHttp, outbox, lanes, reconcilers, tasks, bus, config, clock, logger } = deps;
  await http.listen({ host: config.host, port: config.port });
  const { port } = http.server.address() as AddressInfo;
  const url = config.advertisedUrl || httpOrigin(config.host, port);
  const { callbackPort } = config;
  if (callbackPort !== null) await callbackHttp.listen({ host: config.callbackHost, port: callbackPort });
  const announcer = createInstanceAnnouncer({ bus, keyring: config.internalSigningKeys, clock, url });
  const rpc = servePaymentsRpc(deps);
  const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) =>
    startPeriodic({ name, intervalMs, run, logger });
  const announcing = periodic('announce', ANNOUNCEMENT_INTERVAL_MS, async () => announcer.announce());
  const workers = [
    ...lanes.map((lane) => periodic('process due payments', LANE_INTERVAL_MS, lane.run)),
    ...reconcilers.map((reconciler) =>
      periodic('compare payments with their processor', RECONCILIATION_INTERVAL_MS, reconciler.run),
    ),
    periodic('expire payments', EXPIRY_INTERVAL_MS, tasks.expirePayments),
    periodic('sweep the outbox', SWEEP_INTERVAL_MS, tasks.sweepOutbox),
    periodic('delete messages of erased payments', PURGE_INTERVAL_MS, tasks.purgeStreams),
    periodic('erase restored payments again', REAPPLY_INTERVAL_MS, tasks.applyErasures),
    periodic('erase by retention period', RETENTION_INTERVAL_MS, tasks.eraseByRetention),
    periodic('expire approval requests', APPROVAL_INTERVAL_MS, tasks.expireApprovalRequests),
    periodic('finish approved settlements', APPROVAL_INTERVAL_MS, tasks.finishApprovals),
    periodic('count open payments', COUNT_INTERVAL_MS, tasks.countOpenPayments),
    periodic('notice stuck payments', STUCK_INTERVAL_MS, tasks.noticeStuckPayments),
    periodic('reset sandboxes', RESET_INTERVAL_MS, tasks.carryOutResets),
  ];
  return {
    url,
    async announceDraining() {
      await announcing.stop();
      await announcer.announceDraining();
    },
    async stopServing() {
      await Promise.all([closeHttp(http), closeHttp(callbackHttp), rpc.stop()]);
    },
    async stopWorking() {
      deps.stop.abort();
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(lanes.map((lane) => lane.idle()));
      await deps.closeProcessors();
      await outbox.drain();
    },
  };
}
