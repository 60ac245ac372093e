import { PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { PAYMENT_STATUS_LABELS } from '#lib/payments/payment-labels.ts';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { TIME_RANGE_CHIPS } from '#lib/server/filters/time-range.ts';
import type { ListView } from './list-view.ts';
import { type FilterName, filterQuery, type TypedFilters } from './payment-filters.ts';
import { isPaymentPeriod, PAYMENT_PERIODS } from './payment-period.ts';
import { countOfStatus } from './payment-totals.ts';

/** The active filters but the status, which has tabs, in the order of the form. `applicationNames` is by id. */
export function activePaymentFilters(
  typed: TypedFilters,
  {
    environment,
    view,
    applicationNames,
  }: { environment: Environment; view: ListView; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<FilterName>[] = [
    { label: 'Search', names: ['search'], say: ({ search }) => search },
    {
      label: 'Application',
      names: ['application'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'Currency', names: ['currency', 'min', 'max'], say: ({ currency }) => currency.toUpperCase() },
    { label: 'Minimum amount', names: ['min'], say: ({ min, currency }) => amountIn(currency, min) },
    { label: 'Maximum amount', names: ['max'], say: ({ max, currency }) => amountIn(currency, max) },
    { label: 'Period', names: ['period', 'by'], say: ({ period, by }) => `${periodLabel(period)}${byLabel(by)}` },
    ...(TIME_RANGE_CHIPS as readonly Chip<FilterName>[]).filter(() => !isPaymentPeriod(typed.period)),
  ];
  return activeFilters(chips, typed, (others) => paymentsPath(environment, others, view));
}

/** A tab for each status, and for all. The tabs keep the other filters. `totals` is null while they are unavailable. */
export function statusTabs(
  typed: TypedFilters,
  { environment, view, totals }: { environment: Environment; view: ListView; totals: PaymentTotal[] | null },
) {
  return ['', ...PAYMENT_STATUSES].map((status) => ({
    label: status === '' ? 'All' : statusLabel(status),
    count: totals && countOfStatus(totals, status),
    href: paymentsPath(environment, { ...typed, status }, view),
    isCurrent: typed.status === status,
  }));
}

/** The address of the list with these filters. */
export function paymentsPath(environment: Environment, typed: TypedFilters, view: ListView): string {
  const query = filterQuery(typed);
  for (const [name, value] of Object.entries(view)) if (value !== '') query.set(name, value);
  return `/${environment}/payments${query.size > 0 ? `?${query}` : ''}`;
}

function periodLabel(period: string): string {
  return isPaymentPeriod(period) ? PAYMENT_PERIODS[period] : period;
}

function byLabel(by: string): string {
  return by === 'success' ? ', by success' : '';
}

function amountIn(currency: string, amount: string): string {
  return `${amount} ${currency.toUpperCase()}`.trim();
}

function statusLabel(status: string): string {
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status);
  return known ? PAYMENT_STATUS_LABELS[known] : status;
}
