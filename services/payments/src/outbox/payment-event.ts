import { PaymentEvent } from '@tollgate/contracts/payments/events';
import { namedFields } from '@tollgate/contracts/platform/named-fields';
import { eventTypeOf, type HistoryEntry, type PaymentDocument } from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';

/**
 * The event of one history entry: the payment as it was after that change. Without stored fields that this release does not
 * know: no seal covers them.
 */
export function paymentEvent(document: PaymentDocument, entry: HistoryEntry): PaymentEvent {
  const event: PaymentEvent = {
    id: entry.event_id,
    type: eventTypeOf(entry),
    occurred_at: entry.occurred_at.toISOString(),
    team_id: document.team_id,
    application_id: document.application_id,
    environment: document.environment,
    cause: { ...entry.cause, address: entry.cause.address ?? null },
    request_id: entry.request_id,
    data: paymentAtVersion(document, entry.version),
  };
  return namedFields(PaymentEvent, event) as PaymentEvent;
}
