import type { PaymentStatus } from '@tollgate/contracts/payments/payment';

/** The result for one payment. */
export interface BulkResult {
  ok: boolean;
  /** The status of the payment: the new one if it was changed. */
  status: PaymentStatus;
  /** What happened, or why it did not. */
  text: string;
}
