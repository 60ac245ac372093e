import type { Actor } from '@tollgate/contracts/actor';
import type { TimelineEntry } from '@tollgate/contracts/payment-history';
import { eventTypeOf, type HistoryEntry } from '../lifecycle/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { findReadable } from './get-payment-detail.ts';

/**
 * Returns every transition of a payment, oldest first.
 *
 * @throws Problem `not-found`, also for other teams' payments
 */
export async function getTimeline(
  deps: { store: PaymentStore },
  actor: Actor,
  paymentId: string,
): Promise<TimelineEntry[]> {
  const { history } = await findReadable(deps, actor, paymentId);
  return history.map(timelineEntry);
}

function timelineEntry(entry: HistoryEntry): TimelineEntry {
  const { event_id, version, occurred_at, cause, request_id } = entry;
  return {
    event_id,
    type: eventTypeOf(entry),
    version,
    occurred_at: occurred_at.toISOString(),
    cause: { type: cause.type, id: cause.id, address: cause.address ?? null },
    request_id,
  };
}
