import { createPublisher } from '@tollgate/bus/publisher';
import { SANDBOX_PAGE_PATH } from '@tollgate/contracts/payments/sandbox-payment-methods';
import type { ServiceConfig, ServiceContext } from '@tollgate/service/service';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { createTeamQueries } from '@tollgate/store/team-queries';
import { createPolicyStore } from './approval/approval-policy.ts';
import { createApprovalStore } from './approval/approval-store.ts';
import type { PaymentsConfig } from './config.ts';
import { createErasureLog } from './erasure/erasure-log.ts';
import { createHistoryStore } from './history/history-store.ts';
import { createPaymentSummaries } from './history/summarize-payments.ts';
import { createPaymentMetrics } from './outbox/payment-metrics.ts';
import { createPaymentOutbox } from './outbox/payment-outbox.ts';
import { createCallerSlots } from './processors/caller-slots.ts';
import { createProcessorHealthLog } from './processors/processor-health.ts';
import { createProcessorMetrics } from './processors/processor-metrics.ts';
import { createProcessors } from './processors/registry/create-processors.ts';
import { createRouter } from './processors/routing/choose-processor.ts';
import { createPageTokens } from './processors/sandbox/page-tokens.ts';
import { createComparisonStore } from './reconciliation/comparison-store.ts';
import { createDifferenceStore } from './reconciliation/difference-store.ts';
import { createRetentionStore } from './retention/data-retention.ts';
import { createSandboxPayments } from './sandbox-reset/sandbox-payments.ts';
import { createResetStore } from './sandbox-reset/sandbox-reset.ts';
import { createHistorySeals } from './seals/history-seal.ts';
import { createVerifiedPayments } from './seals/verified-payments.ts';
import { createPaymentStore } from './store/payment-store.ts';
import { createStuckBurstStore } from './stuck/stuck-burst.ts';
import { createCountedPayments } from './totals/counted-payments.ts';
import { createRollUpStore } from './totals/roll-up-store.ts';

/** The settings of this service. `startService` uses the others. */
export type AppConfig = Omit<PaymentsConfig, keyof ServiceConfig>;
export type AppDeps = ServiceContext<AppConfig>;

/** What the use cases work with: the settings, the connections, and everything that this service builds on them. */
export type Context = ReturnType<typeof createContext>;

export function createContext(deps: AppDeps) {
  const { bus, connection, config, registry } = deps;
  const { adapters, routes } = config.processorsFile;
  const stop = new AbortController();
  const seals = createHistorySeals(config.historyKeys);
  const pageTokens = createPageTokens(config.sandboxPageKeys);
  const parts = {
    ...config,
    ...deps,
    /** Aborted when the background work must stop. */
    stop,
    stopping: stop.signal,
    seals,
    pageTokens,
    verified: createVerifiedPayments({ ...deps, seals }),
    store: createPaymentStore(connection, seals),
    history: createHistoryStore(connection),
    differences: createDifferenceStore(connection),
    comparisons: createComparisonStore(connection),
    retention: createRetentionStore(connection),
    policies: createPolicyStore(connection),
    approvals: createApprovalStore(connection),
    resets: createResetStore(connection),
    bursts: createStuckBurstStore(connection),
    counted: createCountedPayments(connection),
    rollUps: createRollUpStore(connection),
    idempotency: createIdempotencyStore(connection),
    queries: createTeamQueries(),
    callerSlots: createCallerSlots(),
    health: createProcessorHealthLog(),
    metrics: createProcessorMetrics(registry),
    paymentMetrics: createPaymentMetrics(registry),
    sandboxPageUrlOf: (paymentId: string) =>
      config.sandboxApiUrl + SANDBOX_PAGE_PATH.replace(':token', pageTokens.tokenOf(paymentId)),
  };
  const { processors, close } = createProcessors({ ...parts, adapters });
  const outbox = createPaymentOutbox({ ...parts, publisher: createPublisher(bus) });
  return {
    ...parts,
    processors,
    closeProcessors: close,
    outbox,
    chooseProcessor: createRouter(processors, routes, config.defaultProcessor),
    summaries: createPaymentSummaries(parts),
    sandboxPayments: createSandboxPayments(parts),
    erasures: createErasureLog({ ...parts, outbox }),
  };
}
