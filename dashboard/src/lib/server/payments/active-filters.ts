import type { Environment } from '@tollgate/contracts/environment';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import { PAYMENT_STATUS_LABELS } from '#lib/payments/payment-words.ts';
import { type FilterName, filterQuery, type TypedFilters } from './payment-filters.ts';

/** One filter that is set, in words, and the address of the list without it. */
export interface ActiveFilter {
  label: string;
  value: string;
  hrefWithout: string;
}

interface Chip {
  label: string;
  /** Set and removed together: an amount means nothing without its currency. */
  names: FilterName[];
  say: (typed: TypedFilters) => string;
}

const CHIPS: Chip[] = [
  { label: 'Status', names: ['status'], say: ({ status }) => statusLabel(status) },
  { label: 'Application', names: ['application'], say: ({ application }) => application },
  { label: 'Reference', names: ['reference'], say: ({ reference }) => reference },
  { label: 'Payer', names: ['payer'], say: ({ payer }) => payer },
  { label: 'Currency', names: ['currency', 'min', 'max'], say: ({ currency }) => currency.toUpperCase() },
  {
    label: 'At least',
    names: ['min'],
    say: ({ min, currency }) => `${min} ${currency.toUpperCase()}`.trim(),
  },
  { label: 'At most', names: ['max'], say: ({ max, currency }) => `${max} ${currency.toUpperCase()}`.trim() },
  { label: 'From', names: ['from', 'from_time'], say: (typed) => `${typed.from} ${typed.from_time}`.trim() },
  { label: 'Until', names: ['to', 'to_time'], say: (typed) => `${typed.to} ${typed.to_time}`.trim() },
];

/** The filters that are set, in the order of the form. `applicationNames` is by id. */
export function activeFilters(
  typed: TypedFilters,
  {
    environment,
    applicationNames,
  }: { environment: Environment; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  return CHIPS.filter(({ names: [name] }) => name !== undefined && typed[name] !== '').map(
    ({ label, names, say }) => ({
      label,
      value: applicationNames.get(say(typed)) ?? say(typed),
      hrefWithout: paymentsPath(environment, without(typed, names)),
    }),
  );
}

export function paymentsPath(environment: Environment, typed: TypedFilters): string {
  const query = filterQuery(typed);
  return query.size > 0 ? `/${environment}/payments?${query}` : `/${environment}/payments`;
}

function without(typed: TypedFilters, names: FilterName[]): TypedFilters {
  return { ...typed, ...Object.fromEntries(names.map((name) => [name, ''])) };
}

function statusLabel(status: string): string {
  const known = PAYMENT_STATUSES.find((candidate) => candidate === status);
  return known ? PAYMENT_STATUS_LABELS[known] : status;
}
