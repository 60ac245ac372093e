import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { formatAmounts } from '#lib/format/amounts.ts';
import { formatCount } from '#lib/format/number.ts';
import { countOfPayments } from '#lib/payments/count-of-payments.ts';

/** How many payments of the status meet the filters, or with any status: `312`, `1,000+`. */
export function countOfStatus(totals: readonly PaymentTotal[], status: string): string {
  const { payments, isComplete } = sumOf(totals, status);
  return isComplete ? formatCount(payments) : `${formatCount(payments)}+`;
}

/** `312 payments: 12,345.00 EUR and 5.00 USD`. Empty without payments. */
export function describeTotal(totals: readonly PaymentTotal[], status: string): string {
  const { payments, amounts, isComplete } = sumOf(totals, status);
  if (!isComplete) {
    const counted = formatCount(MAX_COUNTED_PAYMENTS);
    return `Totals count up to ${counted} payments. Choose a shorter period to see the total.`;
  }
  return payments === 0 ? '' : `${countOfPayments(payments)}: ${formatAmounts(amounts)}`;
}

/** @param status empty for all */
function sumOf(totals: readonly PaymentTotal[], status: string) {
  const wanted = totals.filter((total) => status === '' || total.status === status);
  return {
    payments: wanted.reduce((sum, total) => sum + total.payments, 0),
    amounts: wanted.flatMap((total) => total.amounts),
    isComplete: wanted.every((total) => total.is_complete),
  };
}
