import type { PaymentEvent, PaymentEventType } from '@tollgate/contracts/payments/events';
import { type ChangingOperation, createDayCounts, type DayCounts, type DayKey, dayOf } from './day-counts.ts';

/** A change that a key made to a payment. */
export interface KeyChange extends DayKey {
  paymentId: string;
}

type EventsSince = (request: {
  since: string;
  limit: number;
  cursor?: string;
}) => Promise<{ events: PaymentEvent[]; next_cursor: string | null }>;

const PAGE = 200;
const OPERATIONS: Partial<Record<PaymentEventType, ChangingOperation>> = {
  'payment.created': 'create_payment',
  'payment.canceled': 'cancel_payment',
  // The processor cancels a started payment later.
  'payment.cancellation_requested': 'cancel_payment',
};

/**
 * Counts by day every payment that keys created or canceled since then. Counts each change once, even when it is on
 * several pages. `byRequest` has the changes of the requests in question, by request id.
 */
export async function readChanges(
  eventsSince: EventsSince,
  since: Date,
  requestIds: ReadonlySet<string>,
): Promise<{ counts: DayCounts; byRequest: Map<string, KeyChange> }> {
  const counts = createDayCounts();
  const byRequest = new Map<string, KeyChange>();
  const seen = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await eventsSince({ since: since.toISOString(), limit: PAGE, ...(cursor && { cursor }) });
    for (const event of page.events) {
      const change = changeOf(event);
      if (!change || Date.parse(event.occurred_at) < since.getTime() || seen.has(event.id)) continue;
      seen.add(event.id);
      counts.add(change, 1);
      if (event.request_id !== null && requestIds.has(event.request_id))
        byRequest.set(event.request_id, change);
    }
    cursor = page.next_cursor;
  }
  return { counts, byRequest };
}

function changeOf(event: PaymentEvent): KeyChange | null {
  const { team_id, application_id, environment, occurred_at, data } = event;
  const operation = OPERATIONS[event.type];
  if (operation === undefined || event.cause.type !== 'key') return null;
  return { day: dayOf(occurred_at), team_id, application_id, environment, operation, paymentId: data.id };
}
