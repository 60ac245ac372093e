import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { eventsSince } from '@tollgate/contracts/payments/rpc';
import type { Bus } from '../src/connection.ts';
import type { BusLogger } from '../src/logger.ts';
import { serveRpc } from '../src/rpc.ts';

/** Small, so that cursors are used. */
const EVENTS_PER_PAGE = 50;

/** The part of the payments service that reconciliation needs: returns the events in the list, signed, oldest first. */
export function servePayments(
  bus: Bus,
  owned: readonly PaymentEvent[],
  logger: BusLogger,
  sign: (event: PaymentEvent) => unknown,
): { stop(): Promise<void> } {
  return serveRpc(
    bus,
    eventsSince,
    async ({ since, cursor }) => {
      const wanted = owned.filter(({ occurred_at }) => occurred_at >= new Date(since).toISOString());
      const from = Number(cursor ?? 0);
      const end = from + EVENTS_PER_PAGE;
      return {
        events: wanted.slice(from, end).map(sign),
        next_cursor: end < wanted.length ? String(end) : null,
      };
    },
    { logger },
  );
}
