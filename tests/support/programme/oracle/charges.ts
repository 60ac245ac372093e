import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { History } from '../history.ts';

const PROCESSOR = 'acme';

/** Lists payments and orders that were charged twice. */
export function duplicatedCharges({ charges, events }: History): string[] {
  const orderOf = new Map(events.map(({ data }) => [data.id, data.reference]));
  const repeated = (what: string, keyOf: (charge: History['charges'][number]) => string) =>
    [...Map.groupBy(charges, keyOf)]
      .filter(([, same]) => same.length > 1)
      .map(([key, same]) => `${what} ${key} was charged ${same.length} times`);
  return [
    ...repeated('payment', ({ paymentId }) => paymentId),
    ...repeated('order', ({ paymentId }) => orderOf.get(paymentId) ?? paymentId),
  ];
}

/** Lists charges without a payment that succeeded with the same amount, and such payments without a charge. */
export function wrongCharges({ charges, events }: History): string[] {
  const last = new Map<string, PaymentEvent>();
  for (const event of events) {
    if ((last.get(event.data.id)?.data.version ?? 0) < event.data.version) last.set(event.data.id, event);
  }
  const charged = new Set(charges.map(({ paymentId }) => paymentId));
  const wrong = charges.flatMap(({ paymentId, amount, currency }) => {
    const payment = last.get(paymentId)?.data;
    if (payment === undefined) return [`${paymentId} was charged, and is not stored`];
    if (payment.amount !== amount || payment.currency !== currency)
      return [`${paymentId} of ${payment.amount} ${payment.currency} was charged ${amount} ${currency}`];
    return payment.status === 'succeeded' ? [] : [`${paymentId} was charged, and is ${payment.status}`];
  });
  const unpaid = [...last.values()].filter(
    ({ data }) => data.processor === PROCESSOR && data.status === 'succeeded' && !charged.has(data.id),
  );
  return [...wrong, ...unpaid.map(({ data }) => `${data.id} succeeded, and was not charged`)];
}
