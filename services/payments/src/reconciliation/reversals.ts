import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import type { PaymentDocument, Reversal } from '../lifecycle/payment.ts';

/** What a processor says about refunds and disputes and has not said before. Without a number, it does not know. */
export function newReversals(
  { reversals = [], currency }: Pick<PaymentDocument, 'reversals' | 'currency'>,
  state: PaymentState,
  at: Date,
): Reversal[] {
  const reported = { refund: state.refunded_amount, dispute: state.disputed_amount };
  return (['refund', 'dispute'] as const).flatMap((type) => {
    const amount = reported[type];
    const known = reversals.findLast((reversal) => reversal.type === type)?.amount ?? 0;
    if (typeof amount !== 'number' || amount === known) return [];
    return [{ at, type, amount, currency: state.currency ?? currency }];
  });
}
