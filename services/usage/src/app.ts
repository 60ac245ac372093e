import { startPeriodic } from '@tollgate/runtime/periodic';
import { createMessageVerifier } from '@tollgate/security/message-verifier';
import type { ServiceContext } from '@tollgate/service/service';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import type { UsageConfig } from './config.ts';
import type { Context } from './context.ts';
import { createQuestionStore } from './reconciliation/question-store.ts';
import { createRequestStore } from './request-log/request-store.ts';
import { createLevels } from './roll-up/level-store.ts';
import { rollUp } from './roll-up/roll-up.ts';
import { serveUsageRpc } from './rpc.ts';
import { createUsageMetrics } from './usage-metrics.ts';
import { consumeWindows } from './windows/consume-windows.ts';
import { ingestWindows } from './windows/ingest-windows.ts';
import { createKeyUseStore } from './windows/key-use-store.ts';
import { createKnownNumbers } from './windows/known-numbers.ts';
import { createWindowStore } from './windows/window-store.ts';

/** How late a request becomes visible. Each run writes a few documents per application with requests. */
const ROLL_UP_INTERVAL_MS = 2_000;

export type App = ReturnType<typeof buildApp>;

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(service: ServiceContext<UsageConfig>) {
  const { bus, connection, config, clock, logger, countUnverified } = service;
  const windows = createWindowStore(connection);
  const context: Context = {
    windows,
    knownNumbers: createKnownNumbers(connection),
    keyUses: createKeyUseStore(connection),
    questions: createQuestionStore(connection),
    levels: createLevels(connection),
    requests: createRequestStore(connection, config.requestLogKeptMs),
    metrics: createUsageMetrics(service.registry, windows.countToRollUp),
    clock,
    logger,
  };
  const ingest = ingestWindows(context);
  const rollUpAll = () => rollUp(context);
  const verify = createMessageVerifier('usage_window', {
    findPublicKey: config.signerPublicKeys,
    countUnverified,
  });
  const running: { stop(): unknown }[] = [];

  return {
    context,
    /** Stores a window, like the consumer of the stream. */
    ingest,
    /** Rolls the queued windows up into minutes, hours, and days. */
    rollUp: rollUpAll,

    start() {
      running.push(
        serveUsageRpc(bus, context, {
          verifyActor: service.verifyActor,
          isUnavailable: isStoreUnavailable,
          logger,
        }),
        consumeWindows(bus, ingest, { verify, logger }),
        startPeriodic({ name: 'roll up usage', intervalMs: ROLL_UP_INTERVAL_MS, run: rollUpAll, logger }),
      );
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
    },
  };
}
