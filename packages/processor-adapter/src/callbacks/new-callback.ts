import { randomBytes } from 'node:crypto';
import type { Callback, PaymentState } from '../contract/payment-state.ts';
import type { NewCallback } from '../store/payment-store.ts';

/** A callback that reports the state. Its id stays the same in every attempt, so that Tollgate recognizes repeats. */
export function newCallback(paymentId: string, state: PaymentState, nowMs: number): NewCallback {
  const body: Callback = { payment_id: paymentId, ...state };
  return {
    id: `callback:${paymentId}:${randomBytes(8).toString('hex')}`,
    body: JSON.stringify(body),
    createdAtMs: nowMs,
  };
}
