import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { PAYMENT_STATUSES, type PaymentStatus } from '@tollgate/contracts/payments/payment';

/** The types that lead to a status. An erasure keeps the status. */
export type LifecycleType = Exclude<PaymentEventType, 'payment.erased'>;
export type TransitionType = Exclude<LifecycleType, 'payment.created'>;

/** Every allowed change. One that leads to the same status changes what the payer or the caller sees. */
export const TRANSITIONS: Record<TransitionType, { from: readonly PaymentStatus[]; to: PaymentStatus }> = {
  'payment.action_required': { from: ['pending'], to: 'pending' },
  'payment.cancellation_requested': { from: ['pending'], to: 'pending' },
  'payment.processing': { from: ['pending'], to: 'processing' },
  'payment.succeeded': { from: ['pending', 'processing'], to: 'succeeded' },
  'payment.failed': { from: ['pending', 'processing'], to: 'failed' },
  'payment.canceled': { from: ['pending'], to: 'canceled' },
};

export function isAllowed(type: TransitionType, from: PaymentStatus): boolean {
  return TRANSITIONS[type].from.includes(from);
}

/** The status that a change of this type leads to. */
export function statusAfter(type: LifecycleType): PaymentStatus {
  return type === 'payment.created' ? 'pending' : TRANSITIONS[type].to;
}

export function isCancelable(status: PaymentStatus): boolean {
  return isAllowed('payment.canceled', status);
}

export function isFinal(status: PaymentStatus): boolean {
  return !Object.values(TRANSITIONS).some(({ from }) => from.includes(status));
}

export const FINAL_STATUSES = PAYMENT_STATUSES.filter(isFinal);
