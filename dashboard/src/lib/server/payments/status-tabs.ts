import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { filterValue, hrefWith, type ListData, type Tab } from '#lib/list/list-data.ts';
import { PAYMENT_STATUS_LABELS } from '#lib/payments/payment-labels.ts';
import { countOfStatus } from './payment-totals.ts';

/** A tab for each status, and for all. The tabs keep the other filters. `totals` is null while they are unavailable. */
export function statusTabs(list: ListData<unknown>, totals: PaymentTotal[] | null): Tab[] {
  const current = filterValue(list, 'status') ?? '';
  return (['', ...PAYMENT_STATUSES] as const).map((status) => ({
    label: status === '' ? 'All' : PAYMENT_STATUS_LABELS[status],
    count: totals && countOfStatus(totals, status),
    href: hrefWith(list, { status }),
    isCurrent: current === status,
  }));
}
