import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { type eventsSince as contract, MAX_EVENTS_SINCE_LIMIT } from '@tollgate/contracts/payments/rpc';
import { isId } from '@tollgate/contracts/platform/ids';
import { MAX_SIGNATURE_BYTES } from '@tollgate/security/signature';
import { decodeJsonCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import { createPageBudget, MAX_ROWS_BYTES } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { ChangePosition } from '../store/change-position.ts';
import { paymentEvent } from './payment-event.ts';

/** The last event of a page. The events of one payment may be split over two pages. */
interface EventPosition extends ChangePosition {
  version: number;
}

/**
 * Returns every event of every payment that changed at or after `since`, oldest change first. A page ends early when
 * more events would not fit into one reply, and leaves out payments that fail verification. A payment that changes while a caller reads pages moves behind the cursor
 * and is returned again.
 *
 * @throws Problem `invalid-request` for a cursor that no page returned
 */
export async function eventsSince(
  { store, verified, signer }: Pick<Context, 'store' | 'verified' | 'signer'>,
  { since, limit = MAX_EVENTS_SINCE_LIMIT, cursor }: Static<typeof contract.request>,
): Promise<{ events: PaymentEvent[]; next_cursor: string | null }> {
  const after = cursor === undefined ? null : decodePosition(cursor);
  // Each payment has at least one event, but the first payment's may all be on the previous page. One more payment
  // shows whether there is a next page.
  const payments = await store.changedSince(after ?? new Date(since), limit + 2);
  const events: PaymentEvent[] = [];
  const budget = createPageBudget(MAX_ROWS_BYTES - limit * MAX_SIGNATURE_BYTES);
  const page = (end: EventPosition | null) => ({
    events: signer.signTogether('payment_event', events),
    next_cursor: end && encodePosition(end),
  });
  let last: EventPosition | null = null;
  for (const payment of payments) {
    const place = { updatedAt: payment.updated_at, paymentId: payment._id };
    if (!verified.isVerified(payment)) {
      last = { ...place, version: Number.MAX_SAFE_INTEGER };
      continue;
    }
    for (const entry of payment.history) {
      const position = { ...place, version: entry.version };
      if (after && isUpTo(position, after)) continue;
      const event = paymentEvent(payment, entry);
      const isFull = events.length === limit || !budget.takes(event);
      if (isFull && last) return page(last);
      events.push(event);
      last = position;
    }
  }
  // Payments that fail verification left room on this page.
  const hasMore = payments.length === limit + 2;
  return page(hasMore ? last : null);
}

function isUpTo(position: EventPosition, after: EventPosition): boolean {
  return (
    position.paymentId === after.paymentId &&
    position.updatedAt.getTime() === after.updatedAt.getTime() &&
    position.version <= after.version
  );
}

function encodePosition({ updatedAt, paymentId, version }: EventPosition): string {
  return encodeCursor(JSON.stringify([updatedAt.getTime(), paymentId, version]));
}

function decodePosition(cursor: string): EventPosition {
  const content = decodeJsonCursor(cursor);
  const [updatedAtMs, paymentId, version]: unknown[] = Array.isArray(content) ? content : [];
  const updatedAt = new Date(Number(updatedAtMs));
  // An invalid date would make the query fail: dates end at 8.64e15 milliseconds (ECMA-262 §21.4.1.1).
  if (
    updatedAt.getTime() === updatedAtMs &&
    Number.isSafeInteger(version) &&
    isId('payment', String(paymentId))
  ) {
    return { updatedAt, paymentId: String(paymentId), version: version as number };
  }
  throw invalidCursor('Send `next_cursor` of the previous page, unchanged.');
}
