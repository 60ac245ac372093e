import type { PaymentEventType } from '@tollgate/contracts/events';
import type { CancellationReason, PaymentStatus } from '@tollgate/contracts/payment';

export const PAYMENT_STATUS_LABELS: Record<PaymentStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
};

export const CANCELLATION_LABELS: Record<CancellationReason, string> = {
  duplicate: 'It was a duplicate',
  fraudulent: 'It was fraudulent',
  requested_by_customer: 'The customer asked for it',
  abandoned: 'It was abandoned',
  expired: 'It expired: nobody settled it in time',
};

export const EVENT_LABELS: Record<PaymentEventType, string> = {
  'payment.created': 'Created',
  'payment.processing': 'Settlement began',
  'payment.succeeded': 'Succeeded',
  'payment.failed': 'Failed',
  'payment.canceled': 'Canceled',
};
