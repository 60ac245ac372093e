import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { PaymentsConfig } from './config.ts';
import { expirePayments } from './expire-payments.ts';
import { createHistoryStore } from './history/history-store.ts';
import { createPaymentSummaries } from './history/summarize-payments.ts';
import { buildHttp } from './http.ts';
import { manualProcessor } from './manual-processor.ts';
import { createPaymentMetrics } from './payment-metrics.ts';
import { createPaymentOutbox } from './payment-outbox.ts';
import { createPaymentStore } from './payment-store.ts';
import type { Processor } from './processor.ts';
import { type RunningApp, runApp } from './running-app.ts';
import { createSandboxProcessor } from './sandbox-processor.ts';
import { settleDuePayments } from './settle-due-payments.ts';

/** The part of the configuration that the app uses; `startService` uses the rest. */
export type AppConfig = Pick<
  PaymentsConfig,
  | 'host'
  | 'port'
  | 'advertisedUrl'
  | 'docsBaseUrl'
  | 'internalSigningKeys'
  | 'actorPublicKeys'
  | 'liveProcessor'
  | 'sandboxProcessor'
  | 'sandboxSettlementDelayMs'
  | 'paymentExpiryMs'
>;

export interface AppDeps {
  connection: Connection;
  bus: Bus;
  config: AppConfig;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

export type PaymentsApp = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`; tests call the use cases and periodic tasks directly. */
export function buildApp({ connection, bus, config, clock, logger, registry }: AppDeps) {
  const store = createPaymentStore(connection);
  const history = createHistoryStore(connection);
  const summaries = createPaymentSummaries({ history, clock });
  const publisher = createPublisher(bus);
  const stop = new AbortController();
  const outbox = createPaymentOutbox({
    store,
    publisher,
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
    live: { processor: named(processors, config.liveProcessor), expiryMs: config.paymentExpiryMs.live },
    sandbox: {
      processor: named(processors, config.sandboxProcessor),
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
    docsBaseUrl: config.docsBaseUrl,
    logger,
  });
  const tasks = {
    settleDuePayments: () =>
      settleDuePayments({ store, outbox, processors, clock, logger, stopping: stop.signal }),
    expirePayments: () => expirePayments({ store, outbox, clock, stopping: stop.signal }),
    sweepOutbox: () => outbox.sweep(),
  };

  return {
    store,
    history,
    summaries,
    outbox,
    http,
    tasks,

    /** Listens, serves RPC, announces the instance, and runs the background tasks. */
    async start(): Promise<RunningApp> {
      await store.ensureIndexes();
      return runApp({ http, store, history, summaries, outbox, tasks, bus, config, clock, logger, stop });
    },
  };
}

function processorsByName(processors: Processor[]): ReadonlyMap<string, Processor> {
  return new Map(processors.map((processor) => [processor.name, processor]));
}

function named(processors: ReadonlyMap<string, Processor>, name: string): Processor {
  const processor = processors.get(name);
  if (!processor) throw new Error(`There is no processor named "${name}"`);
  return processor;
}
