import { formatCount } from '#lib/format/number.ts';

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

/** What became of one payment. */
export interface BulkResult {
  ok: boolean;
  /** What happened, or why it did not. */
  text: string;
}

export function countOfPayments(count: number): string {
  return count === 1 ? '1 payment' : `${formatCount(count)} payments`;
}
