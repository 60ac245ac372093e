import type { Bus } from '@tollgate/bus/connection';
import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import { isStoreUnavailable } from '@tollgate/store/store-unavailable';
import type { Connection } from 'mongoose';
import type { Registry } from 'prom-client';
import type { Context } from './context.ts';
import { createQuestionStore } from './reconciliation/question-store.ts';
import { createRequestStore } from './request-log/request-store.ts';
import { createLevels } from './roll-up/levels.ts';
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

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  verifyActor: VerifyActor;
  /** Returns why a window fails verification, or null. */
  verifyWindow: VerifyMessage;
  /** How long a request is kept in the log. */
  requestLogKeptMs: number;
  clock: Clock;
  logger: Logger;
  /** Registry of the service's metrics. */
  registry: Registry;
}

export interface App {
  context: Context;
  /** Stores a window, like the consumer of the stream. */
  ingest(window: UsageWindow): Promise<void>;
  /** Rolls the queued windows up into minutes, hours, and days. */
  rollUp(): Promise<void>;
  /** Serves RPC, stores windows, and rolls them up. */
  start(): void;
  /** Stops accepting calls and messages, and finishes those in flight. */
  stop(): Promise<void>;
}

/** Connects the parts of the service. Nothing runs before `start`. */
export function buildApp(deps: AppDeps): App {
  const { bus, connection, verifyActor, verifyWindow, requestLogKeptMs, clock, logger, registry } = deps;
  const windows = createWindowStore(connection);
  const knownNumbers = createKnownNumbers(connection);
  const keyUses = createKeyUseStore(connection);
  const questions = createQuestionStore(connection);
  const levels = createLevels(connection);
  const requests = createRequestStore(connection, requestLogKeptMs);
  const metrics = createUsageMetrics(registry, () => windows.waiting(null).catch(() => null));
  const ingest = ingestWindows({
    windows,
    knownNumbers,
    questions,
    keyUses,
    requests,
    metrics,
    clock,
    logger,
  });
  const context: Context = { windows, knownNumbers, keyUses, levels, requests, clock };
  const rollUpAll = () => rollUp({ windows, levels, metrics, logger });
  const running: { stop(): unknown }[] = [];

  return {
    context,
    ingest,
    rollUp: rollUpAll,

    start() {
      running.push(serveUsageRpc(bus, context, { verifyActor, isUnavailable: isStoreUnavailable, logger }));
      running.push(consumeWindows(bus, { ingest, verify: verifyWindow, logger }));
      running.push(
        startPeriodic({ name: 'roll up usage', intervalMs: ROLL_UP_INTERVAL_MS, run: rollUpAll, logger }),
      );
    },

    async stop() {
      for (const part of running.splice(0)) await part.stop();
    },
  };
}
