import type { PaymentStatus } from '@tollgate/contracts/payments/payment';

/** Something that a member can do to several payments. */
export interface BulkChoice {
  value: string;
  /** The label with the number of payments: `Cancel: 3 payments`. */
  label: string;
  /** The sum of their amounts, and what follows. */
  description: string;
}

/** The result for one payment. */
export interface BulkResult {
  ok: boolean;
  /** The status of the payment: the new one if it was changed. */
  status: PaymentStatus;
  /** What happened, or why it did not. */
  text: string;
}
