import type { Bus } from '@tollgate/bus/connection';
import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { createApplicationStore } from './applications/application-store.ts';
import type { Context } from './context.ts';
import { createApiKeyStore } from './keys/api-key-store.ts';
import { notifyExpiringKeys } from './keys/notify-expiring-keys.ts';
import { createLeakedKeyPolicyStore } from './leaks/leaked-key-policy-store.ts';
import { createPrincipalProjection } from './principals/principal-projection.ts';
import { createPrincipalSource } from './principals/principal-source.ts';
import { createPrincipalsBucket } from './principals/principals-bucket.ts';
import { createPrincipalReconciler, type PrincipalReconciler } from './principals/reconcile-principals.ts';
import { createRestoreFromBucket } from './principals/restore-from-bucket.ts';
import { serveApplicationsRpc } from './rpc.ts';

/** How soon the service detects that NATS lost the bucket. The check is one small request. */
const BUCKET_CHECK_INTERVAL_MS = 1_000;
/** Notices are a day and a week ahead: some minutes more or less do not matter. */
const EXPIRY_NOTICE_INTERVAL_MS = 10 * MINUTE_MS;

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  peppers: Keyring;
  signer: Signer;
  verifier: SignatureVerifier;
  verifyActor: VerifyActor;
  clock: Clock;
  logger: Logger;
}

export interface App {
  context: Context;
  reconciler: PrincipalReconciler;
  /** Serves RPC and keeps the bucket complete. */
  start(): void;
  /** Why the service should get no requests, besides missing connections. Empty when it is ready. */
  reasonsNotReady(): string[];
  /** Finishes the calls in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const { bus, connection, audit, peppers, signer, verifier, verifyActor, clock, logger } = deps;
  const applications = createApplicationStore(connection);
  const apiKeys = createApiKeyStore(connection);
  const leakedKeyPolicies = createLeakedKeyPolicyStore(connection);
  const idempotency = createIdempotencyStore(connection);
  const bucket = createPrincipalsBucket(bus);
  const source = createPrincipalSource({ applications, apiKeys, peppers: deps.peppers, clock });
  const restoreFromBucket = createRestoreFromBucket({ applications, apiKeys, signer, clock });
  const projection = createPrincipalProjection({
    bucket,
    source,
    restoreFromBucket,
    signer,
    verifier,
    logger,
  });
  const reconciler = createPrincipalReconciler({
    bucket,
    source,
    projection,
    applications,
    apiKeys,
    clock,
    logger,
  });
  const context = {
    bus,
    applications,
    apiKeys,
    leakedKeyPolicies,
    idempotency,
    queries: createTeamQueries(),
    projection,
    reconciler,
    audit,
    signer,
    peppers,
    clock,
    logger,
  };
  const running: { stop(): unknown }[] = [];

  return {
    context,
    reconciler,

    start() {
      const reconciling = startPeriodic({
        name: 'reconcile principals',
        intervalMs: BUCKET_CHECK_INTERVAL_MS,
        // Without NATS there is nothing to do. The reconnect triggers a run.
        run: async () => bus.isConnected() && reconciler.reconcileIfDue(),
        logger,
      });
      const unlisten = bus.onReconnect(() => reconciling.trigger());
      running.push(
        serveApplicationsRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
      );
      running.push(
        { stop: unlisten },
        reconciling,
        startPeriodic({
          name: 'notify of expiring keys',
          intervalMs: EXPIRY_NOTICE_INTERVAL_MS,
          run: () => notifyExpiringKeys(context),
          logger,
        }),
      );
    },

    reasonsNotReady() {
      return reconciler.hasReconciled() ? [] : ['the principals bucket has not been filled yet'];
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
    },
  };
}
