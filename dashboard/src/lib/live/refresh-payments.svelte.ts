import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import type { PaymentChange } from './payment-change.ts';
import { type Fresh, type RefreshPace, refreshShown } from './refresh-shown.svelte.ts';

/**
 * Reloads the payments that the page shows when one of them, or one that `concerns` accepts, has changed. `ids` are
 * payment ids. Call it during component initialization; it stops when the component is destroyed.
 */
export function refreshPayments(
  options: RefreshPace & { concerns?: (change: PaymentChange) => boolean },
): Fresh {
  const { concerns = () => true } = options;
  return refreshShown(options, {
    key: PAYMENTS_KEY,
    concerns: (change) => change.about === 'payment' && concerns(change),
    rowOf: (change) => (change.about === 'payment' ? change.payment.id : null),
    announce: (count) => (count === 1 ? 'Payment updated.' : `${count} payments updated.`),
  });
}
