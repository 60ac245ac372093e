import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { startPeriodic } from '@tollgate/runtime/periodic';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import { type AppDeps, type Context, createContext } from './context.ts';
import { notifyExpiringKeys } from './keys/notify-expiring-keys.ts';
import { serveApplicationsRpc } from './rpc.ts';

/** How soon the service detects that NATS lost the bucket. The check is one small request. */
const BUCKET_CHECK_INTERVAL_MS = 1_000;
/** Notices are a day and a week ahead: some minutes more or less do not matter. */
const EXPIRY_NOTICE_INTERVAL_MS = 10 * MINUTE_MS;

export interface App {
  context: Context;
  reconciler: Context['reconciler'];
  /** Serves RPC and keeps the bucket complete. */
  start(): void;
  /** Why the service should get no requests, besides missing connections. Empty when it is ready. */
  reasonsNotReady(): string[];
  /** Finishes the calls in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const context = createContext(deps);
  const { bus, reconciler, verifyActor, logger } = context;
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
      running.push(
        serveApplicationsRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }),
        { stop: bus.onReconnect(() => reconciling.trigger()) },
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
