import type { Environment } from '@tollgate/contracts/environment';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import { PAYMENT_STATUS_LABELS } from '#lib/payments/payment-labels.ts';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { TIME_RANGE_CHIPS } from '#lib/server/filters/time-range.ts';
import { listPath } from '#lib/server/filters/typed-filters.ts';
import { FILTER_NAMES, type FilterName, type TypedFilters } from './payment-filters.ts';

/** The active filters, in the order of the form. `applicationNames` is by id. */
export function activePaymentFilters(
  typed: TypedFilters,
  {
    environment,
    applicationNames,
  }: { environment: Environment; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<FilterName>[] = [
    { label: 'Status', names: ['status'], say: ({ status }) => statusLabel(status) },
    {
      label: 'Application',
      names: ['application'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'Reference', names: ['reference'], say: ({ reference }) => reference },
    { label: 'Payer', names: ['payer'], say: ({ payer }) => payer },
    { label: 'Currency', names: ['currency', 'min', 'max'], say: ({ currency }) => currency.toUpperCase() },
    { label: 'Minimum amount', names: ['min'], say: ({ min, currency }) => amountIn(currency, min) },
    { label: 'Maximum amount', names: ['max'], say: ({ max, currency }) => amountIn(currency, max) },
    ...(TIME_RANGE_CHIPS as readonly Chip<FilterName>[]),
  ];
  return activeFilters(chips, typed, (others) => paymentsPath(environment, others));
}

export function paymentsPath(environment: Environment, typed: TypedFilters): string {
  return listPath(`/${environment}/payments`, FILTER_NAMES, typed);
}

function amountIn(currency: string, amount: string): string {
  return `${amount} ${currency.toUpperCase()}`.trim();
}

function statusLabel(status: string): string {
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status);
  return known ? PAYMENT_STATUS_LABELS[known] : status;
}
