import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { formatAmounts } from '#lib/format/amounts.ts';
import { inWords } from '#lib/format/label-of.ts';
import { countOf, formatCount } from '#lib/format/number.ts';
import { filterValue, hrefWith, type ListData, type Tab } from '#lib/list/list-data.ts';

/** A tab for each status, and for all. The tabs keep the other filters. `totals` is null while they are unavailable. */
export function statusTabs(list: ListData<unknown>, totals: PaymentTotal[] | null): Tab[] {
  const current = filterValue(list, 'status') ?? '';
  return (['', ...PAYMENT_STATUSES] as const).map((status) => ({
    label: status === '' ? 'All' : inWords(status),
    count: totals && countOfStatus(totals, status),
    href: hrefWith(list, { status }),
    isCurrent: current === status,
  }));
}

/** How many payments of the status meet the filters, or with any status: `312`, `1,000+`. */
export function countOfStatus(totals: readonly PaymentTotal[], status: string): string {
  const wanted = ofStatus(totals, status);
  const payments = wanted.reduce((sum, total) => sum + total.payments, 0);
  return isComplete(wanted) ? formatCount(payments) : `${formatCount(payments)}+`;
}

/**
 * One text for each status, because only succeeded payments are revenue: `Succeeded: 12,345.00 EUR and 5.00 USD (312 payments)`.
 *
 * @param status empty for all
 */
export function describeTotals(totals: readonly PaymentTotal[], status: string): string[] {
  const wanted = ofStatus(totals, status);
  const texts = wanted
    .filter(({ payments }) => payments > 0)
    .toSorted((a, b) => Number(b.status === 'succeeded') - Number(a.status === 'succeeded'))
    .map(
      ({ status, payments, amounts }) =>
        `${inWords(status)}: ${formatAmounts(amounts)} (${countOf(payments, 'payment')})`,
    );
  if (isComplete(wanted)) return texts;
  const counted = formatCount(MAX_COUNTED_PAYMENTS);
  return [...texts, `With this search, totals count the newest ${counted} payments only`];
}

function ofStatus(totals: readonly PaymentTotal[], status: string): PaymentTotal[] {
  return totals.filter((total) => status === '' || total.status === status);
}

function isComplete(totals: readonly PaymentTotal[]): boolean {
  return totals.every((total) => total.is_complete);
}
