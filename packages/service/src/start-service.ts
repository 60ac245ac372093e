import { type Bus, connectBus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { type Clock, systemClock } from '@tollgate/runtime/clock';
import type { RunningComponent } from '@tollgate/runtime/component';
import type { Environment } from '@tollgate/runtime/config';
import { createConnectionGauge } from '@tollgate/runtime/connection-gauge';
import { runStopSteps, type StopStep } from '@tollgate/runtime/graceful-stop';
import { createLogger, type Logger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { warnOfUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { createUnverifiedCounter } from '@tollgate/runtime/unverified-messages';
import { createActorVerifier } from '@tollgate/security/actor-token';
import { type AuditOutbox, createAuditOutbox, oldestAuditEntryAt } from '@tollgate/store/audit-outbox';
import { isConnected, waitForMongoDB } from '@tollgate/store/mongodb';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import { createAgeGauge } from './age-gauge.ts';
import { startClockCheck } from './clock-check.ts';
import { confirmAuditEntries } from './confirm-audit-entries.ts';
import { createDeadLetterCounter } from './dead-letter-counter.ts';
import type { Service, ServiceApp, ServiceConfig } from './service.ts';
import { waitForSchema } from './wait-for-schema.ts';

const AUDIT_SWEEP_INTERVAL_MS = 5 * SECOND_MS;

export interface StartOptions {
  logger?: Logger;
  clock?: Clock;
  /** Decides whether an actor token is expired; `clock` unless a test moves that one. */
  tokenClock?: Clock;
  /** The clock that is compared with MongoDB's: of the machine, also if a test moves `clock`. */
  machineClock?: Clock;
  /** False leaves the service wired but idle, for tests that call its parts. */
  isStarted?: boolean;
}

export interface RunningService<App extends ServiceApp> extends RunningComponent {
  app: App;
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  logger: Logger;
  registry: Registry;
  opsUrl: string;
  /** Why it should get no requests. Empty if it is ready. */
  reasonsNotReady(): string[];
}

/**
 * Starts a configured service: opens the ops server, connects to MongoDB, waits until its indexes exist, connects to NATS, and starts the
 * app. Health is served before the first connection is made, so that a service that waits for NATS is live and not ready. Everything is
 * closed in the reverse order, also when a later step fails.
 */
export async function startService<Config extends ServiceConfig, App extends ServiceApp>(
  service: Service<Config, App>,
  { config, env }: { config: Config; env: Environment },
  options: StartOptions = {},
): Promise<RunningService<App>> {
  const { clock = systemClock, machineClock = systemClock, isStarted = true } = options;
  const logger = options.logger ?? createLogger({ service: service.name, level: config.logLevel });
  warnOfUnknownVariables(env, service.variables, logger);
  const registry = createMetrics(service.name);
  const isConnectedTo = { mongodb: () => false, nats: () => false };
  createConnectionGauge(registry, isConnectedTo);
  const stopSteps: StopStep[] = [];
  const stop = () => runStopSteps(stopSteps.splice(0).reverse(), logger);

  let reasonsNotReady = () => ['connecting to MongoDB'];
  const becomeUnready = () => {
    reasonsNotReady = () => ['stopping'];
  };
  const ops = await startOpsServer({
    host: config.opsHost,
    port: config.opsPort,
    reasonsNotReady: () => reasonsNotReady(),
    registry,
    logger,
  });
  stopSteps.push({ name: 'close the ops server', run: ops.stop });
  logger.info({ url: ops.url }, 'serving health and metrics');

  try {
    const connection = await waitForMongoDB({
      url: config.mongodbUrl,
      database: service.database,
      appName: service.name,
      logger,
    });
    stopSteps.push({ name: 'close MongoDB', run: () => connection.close() });
    isConnectedTo.mongodb = () => isConnected(connection);
    reasonsNotReady = () => ['checking the schema of the database'];
    await waitForSchema({
      connection,
      schema: service.schema,
      maxDocuments: config.indexAtStartMaxDocuments,
      onWaiting(reasons) {
        reasonsNotReady = () => reasons;
      },
      logger,
    });
    const clockCheck = startClockCheck({ connection, clock: machineClock, logger });
    stopSteps.push({ name: 'stop the clock check', run: clockCheck.stop });

    reasonsNotReady = () => ['connecting to NATS'];
    const { natsUrl: url, natsReplicas: replicas, natsStreamMaxBytes: streamMaxBytes } = config;
    const onDeadLetter = createDeadLetterCounter(registry);
    const bus = await connectBus({
      url,
      name: service.name,
      replicas,
      streamMaxBytes,
      logger,
      onDeadLetter,
    });
    stopSteps.push({ name: 'close NATS', run: () => bus.close() });
    isConnectedTo.nats = bus.isConnected;

    reasonsNotReady = () => ['starting'];
    const audit = createServiceAuditOutbox({ service, bus, connection, clock, logger });
    stopSteps.push({ name: 'publish audit entries', run: audit.drain });
    createAgeGauge(registry, {
      name: 'tollgate_audit_outbox_oldest_age_seconds',
      help: 'Age of the oldest audit entry that the audit log has not confirmed, across all instances',
      oldestAt: () => oldestAuditEntryAt(connection, service.auditedCollections ?? []),
      connection,
      clock,
      logger,
    });
    const countUnverified = createUnverifiedCounter(registry);
    const verifyActor = createActorVerifier(config.actorPublicKeys, options.tokenClock ?? clock, {
      onRejected: () => countUnverified('actor_token', 'rejected'),
    });
    const app = await service.build({
      config,
      bus,
      connection,
      audit,
      verifyActor,
      countUnverified,
      clock,
      compareClock: clockCheck.compare,
      logger,
      registry,
    });
    stopSteps.push({ name: 'stop the service', run: () => app.stop() });
    if (isStarted) {
      await app.start();
      stopSteps.push({ name: 'stop the audit sweep', run: sweepPeriodically(audit, bus, logger).stop });
      // A server that replies to this has received all subscriptions.
      await bus.nats.flush();
    }

    reasonsNotReady = () => [
      ...missingConnections(bus, connection, service),
      ...[clockCheck.reason()].filter((reason) => reason !== null),
      ...(app.reasonsNotReady?.() ?? []),
    ];
    logger.info(`${service.name} is running`);
    return {
      app,
      bus,
      connection,
      audit,
      logger,
      registry,
      opsUrl: ops.url,
      reasonsNotReady: () => reasonsNotReady(),
      becomeUnready,
      stop() {
        becomeUnready();
        return stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function missingConnections(
  bus: Bus,
  connection: Connection,
  { isReadyWithoutNats = false }: { isReadyWithoutNats?: boolean },
): string[] {
  return [
    ...(isReadyWithoutNats || bus.isConnected() ? [] : ['NATS is not connected']),
    ...(isConnected(connection) ? [] : ['MongoDB is not connected']),
  ];
}

function createServiceAuditOutbox(deps: {
  service: Pick<Service<ServiceConfig, ServiceApp>, 'auditedCollections'>;
  bus: Bus;
  connection: Connection;
  clock: Clock;
  logger: Logger;
}): AuditOutbox {
  const { service, bus, connection, clock, logger } = deps;
  const publisher = createPublisher(bus);
  return createAuditOutbox({
    connection,
    collections: service.auditedCollections ?? [],
    publish: ({ subject, body }, messageId) => publisher.publish(subject, body, { messageId }),
    confirm: (entries) => confirmAuditEntries(bus, entries),
    clock,
    logger,
  });
}

function sweepPeriodically(audit: AuditOutbox, bus: Bus, logger: Logger): { stop(): Promise<void> } {
  const sweeping = startPeriodic({
    name: 'sweep the audit outbox',
    intervalMs: AUDIT_SWEEP_INTERVAL_MS,
    run: async () => bus.isConnected() && audit.sweep(),
    logger,
  });
  const unlisten = bus.onReconnect(() => sweeping.trigger());
  return {
    stop() {
      unlisten();
      return sweeping.stop();
    },
  };
}
