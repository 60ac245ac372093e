import type { PaymentStatus } from '@tollgate/contracts/payment';

/** The most payments that are changed at once. A page of the list has no more. */
export const MAX_BULK_PAYMENTS = 100;

/** Something that a member can do to several payments. */
export interface BulkChoice {
  value: string;
  /** With the number of payments: `Cancel: 3 payments`. */
  label: string;
  /** The sum of their amounts, and what follows. */
  description: string;
}

/** The result for one payment. */
export interface BulkResult {
  ok: boolean;
  /** Of the payment, after a change. */
  status: PaymentStatus;
  /** What happened, or why it did not. */
  text: string;
}
