import type { Bus } from '@tollgate/bus/connection';
import { createPublisher } from '@tollgate/bus/publisher';
import { callRpc } from '@tollgate/bus/rpc';
import type { Actor } from '@tollgate/contracts/actor';
import { confirmRecords } from '@tollgate/contracts/rpc/audit';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { Keyring } from '@tollgate/security/keyring';
import { type AuditOutbox, createAuditOutbox } from '@tollgate/store/audit-outbox';
import { isConnected } from '@tollgate/store/mongodb';
import type { Connection } from 'mongoose';
import { createApplicationStore } from './applications/application-store.ts';
import type { Context } from './context.ts';
import { createApiKeyStore } from './keys/api-key-store.ts';
import { createPrincipalProjection } from './principals/principal-projection.ts';
import { createPrincipalSource } from './principals/principal-source.ts';
import { createPrincipalsBucket } from './principals/principals-bucket.ts';
import { createPrincipalReconciler, type PrincipalReconciler } from './principals/reconcile-principals.ts';
import { serveApplicationsRpc } from './rpc.ts';

/** How soon a bucket that NATS lost is noticed; the check is one small request. */
const BUCKET_CHECK_INTERVAL_MS = 1_000;
const SWEEP_INTERVAL_MS = 5_000;

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  peppers: Keyring;
  verifyActor: (token: string) => Promise<Actor>;
  clock: Clock;
  logger: Logger;
}

export interface App {
  context: Context;
  reconciler: PrincipalReconciler;
  audit: AuditOutbox;
  /** Answers RPC, keeps the bucket complete, sweeps the outbox. */
  start(): void;
  /** Why it should get no work; empty when it is ready. */
  reasonsNotReady(): string[];
  /** Answers what is under way, publishes what is enqueued. The connections are the caller's to close. */
  stop(): Promise<void>;
}

/** Wires the service. Resolves when the indexes exist; nothing runs before `start`. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { bus, connection, peppers, verifyActor, clock, logger } = deps;
  const applications = await createApplicationStore(connection);
  const apiKeys = await createApiKeyStore(connection);
  const publisher = createPublisher(bus);
  const audit = createAuditOutbox({
    connection,
    collections: ['applications', 'api_keys'],
    publish: (message) => publisher.publish(message.subject, message.body, { messageId: message.id }),
    confirm: async (ids) => (await callRpc(bus, confirmRecords, { ids })).stored,
    clock,
    logger,
  });
  const bucket = createPrincipalsBucket(bus);
  const source = createPrincipalSource({ applications, apiKeys, clock });
  const projection = createPrincipalProjection({ bucket, source, logger });
  const reconciler = createPrincipalReconciler({ bucket, source, projection, apiKeys, clock, logger });
  const context = { applications, apiKeys, projection, reconciler, audit, peppers, clock, logger };
  const running: { stop(): unknown }[] = [];

  return {
    context,
    reconciler,
    audit,

    start() {
      const reconciling = startPeriodic({
        name: 'reconcile principals',
        intervalMs: BUCKET_CHECK_INTERVAL_MS,
        // Without NATS there is nothing to do, and its return triggers both.
        run: async () => bus.isConnected() && reconciler.reconcileIfDue(),
        logger,
      });
      const sweeping = startPeriodic({
        name: 'sweep the audit outbox',
        intervalMs: SWEEP_INTERVAL_MS,
        run: async () => bus.isConnected() && audit.sweep(),
        logger,
      });
      const unlisten = bus.onReconnect(() => {
        reconciling.trigger();
        sweeping.trigger();
      });
      running.push(serveApplicationsRpc(bus, context, { verifyActor, logger }));
      running.push({ stop: unlisten }, reconciling, sweeping);
    },

    reasonsNotReady() {
      return [
        ...(bus.isConnected() ? [] : ['NATS is not connected']),
        ...(isConnected(connection) ? [] : ['MongoDB is not connected']),
        ...(reconciler.hasReconciled() ? [] : ['the principals bucket has not been filled yet']),
      ];
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
      await audit.drain();
    },
  };
}
