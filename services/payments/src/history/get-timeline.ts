import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { TimelineEntry } from '@tollgate/contracts/payments/payment-history';
import type { getTimeline as contract } from '@tollgate/contracts/payments/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import type { Static } from 'typebox';
import { eventTypeOf, type HistoryEntry } from '../lifecycle/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { findReadable } from './get-payment-detail.ts';

/**
 * Returns every transition of a payment, and what was refunded or disputed at its processor since, oldest first.
 *
 * @throws Problem `not-found`, also for other teams' payments
 */
export async function getTimeline(
  deps: { store: PaymentStore },
  actor: Actor,
  paymentId: string,
): Promise<Static<typeof contract.reply>> {
  const { history, reversals = [] } = await findReadable(deps, actor, paymentId);
  return {
    ...wholeList(history.map(timelineEntry)),
    reversals: reversals.map((reversal) => ({ ...reversal, at: reversal.at.toISOString() })),
  };
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
