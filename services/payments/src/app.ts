import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { CountUntrusted } from '@tollgate/runtime/untrusted-messages';
import type { VerifyActor } from '@tollgate/security/actor-token';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createPayerDataReads } from '@tollgate/store/payer-data-reads';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { expirePayments } from './cancellation/expire-payments.ts';
import type { PaymentsConfig } from './config.ts';
import { createHistoryStore } from './history/history-store.ts';
import { createPaymentSummaries } from './history/summarize-payments.ts';
import { buildHttp } from './http/http-server.ts';
import { createPaymentMetrics } from './outbox/payment-metrics.ts';
import { createPaymentOutbox } from './outbox/payment-outbox.ts';
import { settleDuePayments } from './processing/settle-due-payments.ts';
import { manualProcessor } from './processors/manual-processor.ts';
import { type Processor, type Processors, processorNamed } from './processors/processor.ts';
import { createSandboxProcessor } from './processors/sandbox-processor.ts';
import { type RunningApp, runApp } from './running-app.ts';
import { createHistorySeals } from './seals/history-seal.ts';
import { createTrustedPayments } from './seals/trusted-payments.ts';
import { createPaymentStore } from './store/payment-store.ts';

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
  | 'acceptUnsigned'
  | 'liveProcessor'
  | 'sandboxProcessor'
  | 'sandboxSettlementDelayMs'
  | 'paymentExpiryMs'
>;

export interface AppDeps {
  connection: Connection;
  bus: Bus;
  audit: AuditOutbox;
  config: AppConfig;
  verifyActor: VerifyActor;
  countUntrusted: CountUntrusted;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export type PaymentsApp = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`; tests call the use cases and periodic tasks directly. */
export function buildApp(deps: AppDeps) {
  const { connection, bus, audit, config, verifyActor, countUntrusted, clock, logger, registry } = deps;
  const seals = createHistorySeals({ keys: config.historyKeys, acceptUnsealed: config.acceptUnsigned });
  const trusted = createTrustedPayments({ seals, countUntrusted, logger });
  const store = createPaymentStore(connection, seals);
  const history = createHistoryStore(connection);
  const summaries = createPaymentSummaries({ history, clock });
  const reads = createPayerDataReads({
    connection,
    audit,
    signEntry: (entry) => signAuditEntry(config.signer, entry),
    clock,
  });
  const publisher = createPublisher(bus);
  const stop = new AbortController();
  const outbox = createPaymentOutbox({
    store,
    trusted,
    publisher,
    signer: config.signer,
    clock,
    logger,
    metrics: createPaymentMetrics(registry),
    stopping: stop.signal,
  });
  const processors = processorsByName([
    createSandboxProcessor({ settlementDelayMs: config.sandboxSettlementDelayMs }),
    manualProcessor,
  ]);
  const policies = {
    live: {
      processor: processorNamed(processors, config.liveProcessor),
      expiryMs: config.paymentExpiryMs.live,
    },
    sandbox: {
      processor: processorNamed(processors, config.sandboxProcessor),
      expiryMs: config.paymentExpiryMs.sandbox,
    },
  };
  const keyring = config.internalSigningKeys;
  const http = buildHttp({
    store,
    outbox,
    policies,
    clock,
    keyring,
    countUntrusted,
    docsBaseUrl: config.docsBaseUrl,
    logger,
  });
  const tasks = {
    settleDuePayments: () =>
      settleDuePayments({ store, trusted, outbox, processors, clock, logger, stopping: stop.signal }),
    expirePayments: () => expirePayments({ store, trusted, outbox, clock, stopping: stop.signal }),
    sweepOutbox: () => outbox.sweep(),
  };

  return {
    store,
    trusted,
    signer: config.signer,
    history,
    summaries,
    outbox,
    http,
    tasks,

    /** Listens, serves RPC, announces the instance, and runs the background tasks. */
    async start(): Promise<RunningApp> {
      await store.ensureIndexes();
      await reads.ensureIndexes();
      const parts = { http, store, trusted, history, summaries, reads, outbox, tasks, verifyActor };
      return runApp({ ...parts, signer: config.signer, bus, config, clock, logger, stop });
    },
  };
}

function processorsByName(processors: Processor[]): Processors {
  return new Map(processors.map((processor) => [processor.name, processor]));
}
