import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventsSince } from '@tollgate/contracts/payments/rpc';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { startPeriodic } from '@tollgate/runtime/periodic';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import { reconcileEvents } from '@tollgate/store/reconcile-events';
import { createReconciliationStore } from '@tollgate/store/reconciliation-store';
import type { Connection } from 'mongoose';
import { verifiedEvents } from './verified-events.ts';

/** How often an instance checks whether a run is due. */
const CHECK_INTERVAL_MS = 5 * SECOND_MS;

/** Reconciles a service that must not miss an event with payments, which owns the events. */
export function createEventReconciler(deps: {
  bus: Bus;
  connection: Connection;
  /** Start of the period that the very first run reads. */
  firstSince: Date;
  /** Processes those events of a page that no message delivered; resolves to their number. */
  takeMissing(events: PaymentEvent[]): Promise<number>;
  verifyEvent: VerifyMessage;
  onReconciled(found: number): void;
  clock: Clock;
  logger: Logger;
}) {
  const { bus, connection, firstSince, takeMissing, verifyEvent, onReconciled, clock, logger } = deps;
  const reconciliation = {
    reconciliations: createReconciliationStore(connection),
    async eventsSince(request: { since: string; cursor?: string }) {
      const { events, next_cursor } = await callRpc(bus, eventsSince, request);
      return { events: verifiedEvents(events, { verifyEvent, logger }), next_cursor };
    },
    takeMissing,
    firstSince,
    clock,
  };
  let isUrgent = true;

  /** Reads from payments the events that no message delivered, if a run is due. */
  async function reconcileIfDue(): Promise<void> {
    if (!bus.isConnected()) return;
    try {
      const found = await reconcileEvents(reconciliation, { isUrgent });
      if (found === null) return;
      isUrgent = false;
      onReconciled(found);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      logger.warn({ err: error }, 'payments is unavailable; events will be reconciled later');
    }
  }

  return {
    reconcileIfDue,
    /** Reconciles periodically, and at once when NATS is connected again. */
    start(): { stop(): Promise<void> } {
      const reconciling = startPeriodic({
        name: 'reconcile events',
        intervalMs: CHECK_INTERVAL_MS,
        run: reconcileIfDue,
        logger,
      });
      const unlisten = bus.onReconnect(() => {
        isUrgent = true;
        reconciling.trigger();
      });
      return {
        stop() {
          unlisten();
          return reconciling.stop();
        },
      };
    },
  };
}
