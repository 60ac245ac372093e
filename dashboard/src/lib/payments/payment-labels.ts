import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { CancellationReason } from '@tollgate/contracts/payments/payment';
import type { Reversal } from '@tollgate/contracts/payments/payment-history';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';

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

// Values whose own words do not say enough: `labelOf` shows the others in words.

export const PROCESSOR_STATUS_LABELS: Record<string, string> = { action_required: 'Waiting for the payer' };

export const TIMELINE_LABELS: Partial<Record<PaymentEventType | Reversal['type'], string>> = {
  'payment.action_required': 'Waiting for the payer',
  'payment.erased': 'Personal data erased',
  refund: 'Refunded',
  dispute: 'Disputed',
};

/** When the processor reports that nothing is refunded or disputed any more. */
export const ENDED_REVERSAL_LABELS: Record<Reversal['type'], string> = {
  refund: 'No longer refunded',
  dispute: 'No longer disputed',
};
