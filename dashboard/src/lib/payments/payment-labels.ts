import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { CancellationReason, PaymentStatus } from '@tollgate/contracts/payments/payment';
import type { Reversal } from '@tollgate/contracts/payments/payment-history';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';

export const PAYMENT_STATUS_LABELS: Record<PaymentStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
};

export const CANCELLATION_LABELS: Record<CancellationReason, string> = {
  duplicate: 'Duplicate',
  fraudulent: 'Fraudulent',
  requested_by_customer: 'Requested by customer',
  abandoned: 'Abandoned',
  expired: 'Expired before settlement',
};

export const PROCESSOR_CALL_LABELS: Record<ProcessorCall['call'], string> = {
  start: 'Start payment',
  status: 'Get status',
  cancel: 'Cancel payment',
  callback: 'Callback received',
};

export const PROCESSOR_STATUS_LABELS: Record<string, string> = {
  ...PAYMENT_STATUS_LABELS,
  action_required: 'Waiting for the payer',
};

export const TIMELINE_LABELS: Record<PaymentEventType | Reversal['type'], string> = {
  'payment.created': 'Created',
  'payment.processing': 'Processing',
  'payment.succeeded': 'Succeeded',
  'payment.failed': 'Failed',
  'payment.canceled': 'Canceled',
  'payment.action_required': 'Waiting for the payer',
  'payment.cancellation_requested': 'Cancellation requested',
  'payment.erased': 'Personal data erased',
  refund: 'Refunded',
  dispute: 'Disputed',
};

/** When the processor reports that nothing is refunded or disputed any more. */
export const ENDED_REVERSAL_LABELS: Record<Reversal['type'], string> = {
  refund: 'No longer refunded',
  dispute: 'No longer disputed',
};
