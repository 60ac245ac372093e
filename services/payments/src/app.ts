import type { AddressInfo } from 'node:net';
import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { createActorVerifier } from '@tollgate/service-kit/actor-token';
import type { Clock } from '@tollgate/service-kit/clock';
import type { Logger } from '@tollgate/service-kit/logger';
import { startPeriodic } from '@tollgate/service-kit/periodic';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { PaymentsConfig } from './config.ts';
import { expirePayments } from './expire-payments.ts';
import { buildHttp, closeHttp } from './http.ts';
import { createInstanceAnnouncer } from './instance-announcer.ts';
import { manualProcessor } from './manual-processor.ts';
import { createPaymentMetrics } from './payment-metrics.ts';
import { createPaymentOutbox } from './payment-outbox.ts';
import { createPaymentStore } from './payment-store.ts';
import type { Processor } from './processor.ts';
import { servePaymentsRpc } from './rpc.ts';
import { createSandboxProcessor } from './sandbox-processor.ts';
import { settleDuePayments } from './settle-due-payments.ts';

const ANNOUNCEMENT_INTERVAL_MS = 1_000;
const SETTLEMENT_INTERVAL_MS = 250;
const EXPIRY_INTERVAL_MS = 10_000;
const SWEEP_INTERVAL_MS = 2_000;

/** What of the configuration the app itself uses; listeners of its own and connections are main.ts's. */
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

/** Wires the service. Nothing runs before `start`; tests call the use cases and the periodic tasks themselves. */
export function buildApp({ connection, bus, config, clock, logger, registry }: AppDeps) {
  const store = createPaymentStore(connection);
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
    outbox,
    http,
    tasks,

    /** Listens, serves RPC, announces itself and works in the background. */
    async start(): Promise<RunningApp> {
      await store.ensureIndexes();
      await http.listen({ host: config.host, port: config.port });
      const { port } = http.server.address() as AddressInfo;
      const url = config.advertisedUrl || `http://${config.host}:${port}`;
      const announcer = createInstanceAnnouncer({ bus, keyring, clock, url });
      const verifyActor = createActorVerifier(config.actorPublicKeys, clock);
      const rpc = servePaymentsRpc({ bus, store, outbox, clock, logger, verifyActor });
      const periodic = (name: string, intervalMs: number, run: () => Promise<unknown>) =>
        startPeriodic({ name, intervalMs, run, logger });
      const announcing = periodic('announce', ANNOUNCEMENT_INTERVAL_MS, async () => announcer.announce());
      const workers = [
        periodic('settle due payments', SETTLEMENT_INTERVAL_MS, tasks.settleDuePayments),
        periodic('expire payments', EXPIRY_INTERVAL_MS, tasks.expirePayments),
        periodic('sweep the outbox', SWEEP_INTERVAL_MS, tasks.sweepOutbox),
      ];
      return {
        url,
        async sayGoodbye() {
          await announcing.stop();
          await announcer.sayGoodbye();
        },
        async stopServing() {
          await Promise.all([closeHttp(http), rpc.stop()]);
        },
        async stopWorking() {
          stop.abort();
          await Promise.all(workers.map((worker) => worker.stop()));
          await outbox.drain();
        },
      };
    },
  };
}

/** The steps of a graceful stop, in their order. */
export interface RunningApp {
  /** Where gateways reach this instance. */
  url: string;
  /** Gateways send nothing new from here on. */
  sayGoodbye(): Promise<void>;
  /** Ends what is under way and closes the listener. */
  stopServing(): Promise<void>;
  /** Ends the background work and publishes what is waiting. */
  stopWorking(): Promise<void>;
}

function processorsByName(processors: Processor[]): ReadonlyMap<string, Processor> {
  return new Map(processors.map((processor) => [processor.name, processor]));
}

function named(processors: ReadonlyMap<string, Processor>, name: string): Processor {
  const processor = processors.get(name);
  if (!processor) throw new Error(`There is no processor named "${name}"`);
  return processor;
}
