import { isFinal } from '../contract/final-status.ts';
import { hasMoneyOf } from '../contract/has-money-of.ts';
import type { PaymentState, ProcessorPayment } from '../contract/payment-state.ts';

/**
 * Whether the state is the last one of the payment. Tollgate leaves a payment open whose final status comes with other money, so
 * that the processor is asked again.
 *
 * @param payment null if it was canceled before its start
 */
export function hasEnded(
  payment: ProcessorPayment | null,
  state: PaymentState | null,
): state is PaymentState {
  return state !== null && isFinal(state) && (payment === null || hasMoneyOf(payment, state));
}
