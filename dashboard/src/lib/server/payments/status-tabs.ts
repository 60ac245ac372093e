import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { inWords } from '#lib/format/label-of.ts';
import { filterValue, hrefWith, type ListData, type Tab } from '#lib/list/list-data.ts';
import { countOfStatus } from './payment-totals.ts';

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
