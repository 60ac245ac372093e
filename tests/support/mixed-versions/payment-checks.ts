import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { storedEvents } from '../platform/stored-events.ts';
import type { MixedRun } from './mixed-run.ts';
import type { RequestedPayment } from './payment-load.ts';

/** Every event of the run, as payments stores it. */
export async function eventsOf({ owner, since }: MixedRun): Promise<PaymentEvent[]> {
  const events = await storedEvents(owner.rpc, since);
  // A payment that changes during the read is read twice.
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** Lists payments that were lost, duplicated, or not completed. */
export function wrongPayments({ load, main }: MixedRun, events: PaymentEvent[]): string[] {
  const byReference = new Map<string, Map<string, PaymentEvent[]>>();
  for (const event of events.filter(({ application_id }) => application_id === main.applicationId)) {
    const { id, reference } = event.data;
    const payments = byReference.get(reference ?? '') ?? new Map<string, PaymentEvent[]>();
    byReference.set(reference ?? '', payments.set(id, [...(payments.get(id) ?? []), event]));
  }
  const wrong = load.requested.flatMap((payment) => {
    const stored = byReference.get(payment.body.reference) ?? new Map();
    byReference.delete(payment.body.reference);
    return wrongOf(payment, stored);
  });
  return [...wrong, ...[...byReference.keys()].map((reference) => `${reference} was not requested`)];
}

function wrongOf(payment: RequestedPayment, stored: Map<string, PaymentEvent[]>): string[] {
  const { paymentId, isCanceled, body } = payment;
  const wrong: string[] = [];
  const title = `${body.reference} (${paymentId})`;
  if (stored.size > 1) wrong.push(`${title} exists ${stored.size} times`);
  if (paymentId !== null && !stored.has(paymentId)) wrong.push(`${title} is lost`);
  for (const events of stored.values()) {
    const types = events.toSorted((a, b) => a.data.version - b.data.version).map(({ type }) => type);
    const expected = isCanceled
      ? ['payment.created', 'payment.canceled']
      : body.payment_method === 'pm_hold'
        ? ['payment.created']
        : ['payment.created', 'payment.processing', 'payment.succeeded'];
    if (types.join() !== expected.join()) wrong.push(`${title} has the events ${types.join()}`);
  }
  return wrong;
}
