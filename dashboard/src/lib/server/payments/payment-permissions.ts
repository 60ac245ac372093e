import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { MANUAL_PROCESSOR } from '@tollgate/contracts/payments/processors';
import type { Role } from '@tollgate/contracts/platform/roles';
import { allows } from '#lib/server/access.ts';

const BUILT_IN_PROCESSORS = ['sandbox', MANUAL_PROCESSOR];

/** How a member can settle the payment; null when it is final, or when its processor decides. */
type SettledBy = 'simulation' | 'member' | 'simulation-of-greater-role' | 'member-of-greater-role' | null;

export function isOpen(status: PaymentRow['status']): boolean {
  return status === 'pending' || status === 'processing';
}

/** Null for a payment of an adapter, which has its own test mode. */
export function wayOfSettling({ environment, processor }: PaymentRow) {
  if (environment === 'sandbox') return BUILT_IN_PROCESSORS.includes(processor) ? 'simulation' : null;
  return processor === MANUAL_PROCESSOR ? 'member' : null;
}

/** How this member may settle the payment; null when they may not. */
export function settledBy(payment: PaymentRow, role: Role): SettledBy {
  const way = wayOfSettling(payment);
  if (!isOpen(payment.status) || way === null) return null;
  const route = way === 'simulation' ? ADMIN_ROUTES.simulatePayment : ADMIN_ROUTES.settlePayment;
  return allows(route, role, payment.environment) ? way : `${way}-of-greater-role`;
}

/** Not again while the processor decides. */
export function mayCancel(payment: PaymentRow, role: Role): boolean {
  if (!payment.cancelable || payment.cancellation_requested_at !== null) return false;
  return allows(ADMIN_ROUTES.cancelPayment, role, payment.environment);
}
