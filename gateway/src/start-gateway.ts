import type { AddressInfo } from 'node:net';
import { subscribeText } from '@tollgate/bus/announce';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { type BucketMirror, mirrorBucket } from '@tollgate/bus/kv-mirror';
import { PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { httpOrigin } from '@tollgate/http/http-origin';
import type { Clock } from '@tollgate/runtime/clock';
import type { RunningComponent } from '@tollgate/runtime/component';
import { createConnectionGauge } from '@tollgate/runtime/connection-gauge';
import { runStopSteps, type StopStep } from '@tollgate/runtime/graceful-stop';
import type { Logger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { startOpsServer } from '@tollgate/runtime/ops-server';
import { createUnverifiedCounter } from '@tollgate/runtime/unverified-messages';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import { createSignatureVerifier } from '@tollgate/security/signature';
import type { FastifyInstance } from 'fastify';
import { type AdminTimings, buildAdminApp } from './admin-api/app.ts';
import { subscribeToChanges } from './admin-api/subscribe-to-changes.ts';
import { createTeamStreams } from './admin-api/team-streams.ts';
import { reasonPeppersDiffer } from './authentication/compare-peppers.ts';
import { registerKeyStatus } from './authentication/key-status-route.ts';
import { createPrincipals } from './authentication/principals.ts';
import type { GatewayConfig } from './config.ts';
import { createSite, siteAddresses } from './docs/site.ts';
import { createPaymentsAnnouncements } from './payments-instances/payments-announcements.ts';
import { createPaymentsPool } from './payments-instances/payments-pool.ts';
import { buildPublicApp } from './public-api/app.ts';
import { createGatewayMetrics } from './request/gateway-metrics.ts';
import { createGatewayUsage } from './usage/gateway-usage.ts';

/** A gateway that misses some confirmations must not reject keys yet. */
const CONFIRMATIONS_PER_STALENESS = 4;

export interface Gateway extends RunningComponent {
  liveUrl: string;
  sandboxUrl: string;
  adminUrl: string;
  opsUrl: string;
  /** Rejects when NATS rejects the credentials. Stays pending until NATS is connected. */
  connected: Promise<void>;
}

export interface GatewayOptions {
  logger: Logger;
  clock: Clock;
  upstreamTimeoutMs?: number;
  /** Length of the windows in which requests are counted. */
  usageWindowMs?: number;
  adminTimings?: AdminTimings;
}

/**
 * Opens the listeners immediately and connects to NATS in parallel. Until the API keys are loaded, every request gets a
 * 503, which is clearer to a caller than a closed port.
 */
export async function startGateway(
  config: GatewayConfig,
  { logger, clock, upstreamTimeoutMs, usageWindowMs, adminTimings }: GatewayOptions,
): Promise<Gateway> {
  let stopping = false;
  const stopped = new AbortController();
  let bus: Bus | undefined;
  let mirror: BucketMirror | undefined;

  const registry = createMetrics('gateway');
  createConnectionGauge(registry, { nats: () => bus?.isConnected() ?? false });
  const verification = {
    findPublicKey: config.signerPublicKeys,
    countUnverified: createUnverifiedCounter(registry),
  };
  const principals = createPrincipals({
    verifier: createSignatureVerifier(config.signerPublicKeys),
    countUnverified: verification.countUnverified,
    clock,
    logger,
    maxStalenessMs: config.principalsMaxStalenessMs,
    lastConfirmedAt: () => mirror?.lastConfirmedAt() ?? null,
  });
  const paymentsPool = createPaymentsPool({ clock, logger });
  const announcements = createPaymentsAnnouncements({
    pool: paymentsPool,
    signingKeys: config.signingKeys,
    clock,
    logger,
  });
  const teamStreams = createTeamStreams({ logger, ...adminTimings });
  const metrics = createGatewayMetrics(registry, paymentsPool.aliveCount);
  const verifyEvent = createMessageVerifier('payment_event', verification);
  const usage = createGatewayUsage({
    spoolDir: config.usageSpoolDir,
    signer: config.signer,
    clock,
    logger,
    registry,
    ...(usageWindowMs !== undefined && { windowMs: usageWindowMs }),
  });

  const site = createSite(config.docsDir, siteAddresses(config));

  function build(environment: Environment): FastifyInstance {
    return buildPublicApp({
      environment,
      ...config,
      baseUrls: { live: config.liveApiUrl, sandbox: config.sandboxApiUrl },
      site,
      bus: () => bus,
      principals,
      paymentsPool,
      isReady,
      metrics,
      logger,
      clock,
      usage,
      ...(upstreamTimeoutMs !== undefined && { upstreamTimeoutMs }),
    });
  }

  const live = build('live');
  const sandbox = build('sandbox');
  const admin = buildAdminApp({
    ...config,
    bus: () => bus,
    teamStreams,
    isReady,
    metrics,
    logger,
    clock,
    ...(adminTimings && { timings: adminTimings }),
  });
  await live.listen({ host: config.liveHost, port: config.livePort });
  await sandbox.listen({ host: config.sandboxHost, port: config.sandboxPort });
  await admin.listen({ host: config.adminHost, port: config.adminPort });
  const ops = await startOpsServer({
    host: config.opsHost,
    port: config.opsPort,
    reasonsNotReady,
    registry,
    logger,
    register: (app) => registerKeyStatus(app, { principals, clock }),
  });

  async function connect(): Promise<void> {
    const { natsUrl: url, natsReplicas: replicas, natsStreamMaxBytes: streamMaxBytes } = config;
    const { signal } = stopped;
    bus = await connectBus({ url, name: 'gateway', replicas, streamMaxBytes, logger, signal });
    mirror = mirrorBucket(bus, PRINCIPALS_BUCKET, {
      statusIntervalMs: config.principalsMaxStalenessMs / CONFIRMATIONS_PER_STALENESS,
      onSnapshot: principals.replaceAll,
      onEntry: principals.apply,
      logger,
      clock,
    });
    subscribeToChanges(bus, { teamStreams, verifyEvent, logger });
    bus.onReconnect(teamStreams.greetAll);
    usage.startShipping(bus);
    subscribeText(bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, announcements.onAnnouncement);
  }

  function isReady(): boolean {
    return reasonsNotReady().length === 0;
  }

  function reasonsNotReady(): string[] {
    if (stopping) return ['stopping'];
    const reasons = [
      principals.reasonNotUsable() ?? reasonPeppersDiffer(principals.keys(), config.peppers),
      announcements.reasonNotUsable(),
    ];
    return reasons.filter((reason) => reason !== null);
  }

  function becomeUnready(): void {
    stopping = true;
  }

  const stopSteps: StopStep[] = [
    { name: 'listeners', run: () => Promise.all([live.close(), sandbox.close(), admin.close()]) },
    { name: 'upstream connections', run: paymentsPool.close },
    { name: 'usage', run: usage.stop },
    { name: 'API keys', run: () => mirror?.stop() },
    { name: 'NATS', run: () => bus?.close() },
    { name: 'ops', run: ops.stop },
  ];

  return {
    liveUrl: urlOf(live),
    sandboxUrl: urlOf(sandbox),
    adminUrl: urlOf(admin),
    opsUrl: ops.url,
    connected: connect().catch((error) => {
      if (!stopped.signal.aborted) throw error;
    }),
    becomeUnready,
    stop() {
      becomeUnready();
      stopped.abort();
      return runStopSteps(stopSteps, logger);
    },
  };
}

function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo;
  return httpOrigin(address, port);
}
