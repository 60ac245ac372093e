import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import type { LiveChange } from './live-change.ts';
import { type Fresh, type RefreshPace, refreshShown } from './refresh-shown.svelte.ts';

/**
 * Reloads what the page shows under `PAYMENTS_KEY` when a payment has changed, or when `concerns` accepts a change. `ids`
 * are payment ids. Call it during component initialization; it stops when the component is destroyed.
 */
export function refreshPayments(
  options: RefreshPace & { concerns?: (change: LiveChange) => boolean },
): Fresh {
  const { concerns = ({ about }) => about === 'payment' } = options;
  return refreshShown(options, {
    key: PAYMENTS_KEY,
    concerns,
    rowOf: (change) => (change.about === 'payment' ? (change.paymentId ?? null) : null),
    announce: (count) => (count === 1 ? 'Payment updated.' : `${count} payments updated.`),
  });
}
