import { isFinal } from './final-status.ts';
import type { PaymentState, ProcessorPayment } from './payment-state.ts';

/**
 * Whether a final status comes with the money that it means: all of the payment if it succeeded, and none otherwise. If not, the
 * status decides nothing. The amount of a status that is not final can still change.
 */
export function hasMoneyOf(
  payment: Pick<ProcessorPayment, 'amount' | 'currency'>,
  state: PaymentState,
): boolean {
  if (!isFinal(state)) return true;
  if (state.status !== 'succeeded') return (state.amount ?? 0) === 0;
  return state.amount === payment.amount && state.currency === payment.currency;
}
