import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_LIMITS, PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import { PAYMENT_FAILURE_CODES } from '@tollgate/contracts/payments/payment-failure-code';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { inWords, labelsOf } from '#lib/format/label-of.ts';
import {
  applicationFilter,
  choiceFilter,
  type Filter,
  type FiltersOf,
  searchFilter,
  textFilter,
} from '#lib/server/list/filter.ts';
import { amountFilter } from './amount-filter.ts';
import { periodFilter } from './payment-period.ts';

const FAILURE_CODE = /^[a-z][a-z0-9_]{0,63}$/;

export const PAYMENT_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listPayments> = [
  searchFilter('Reference, name, amount, ID, metadata', PAYMENT_LIMITS.reference),
  choiceFilter(
    { name: 'status', label: 'Status', control: 'hidden', labels: labelsOf(PAYMENT_STATUSES) },
    'Select a status.',
  ),
  applicationFilter,
  textFilter(
    {
      name: 'failure',
      label: 'Failure',
      control: 'select',
      any: 'Any',
      options: PAYMENT_FAILURE_CODES.map((code) => ({ value: code, label: inWords(code) })),
      isMore: true,
    },
    'Enter a failure code such as declined.',
    // A link can ask for any other code, such as that of another adapter.
    (failure_code) => (FAILURE_CODE.test(failure_code) ? { failure_code } : null),
  ),
  currencyFilter(),
  amountFilter,
  periodFilter(),
];

/** The filters, and how the list shows the payments that meet them. */
export const PAYMENT_LIST: FiltersOf<typeof ADMIN_ROUTES.listPayments> = [
  ...PAYMENT_FILTERS,
  choiceFilter(
    { name: 'order', label: 'Order', control: 'hidden', isView: true, labels: { oldest: 'Oldest first' } },
    'Select an order.',
    () => ({ order: 'asc' as const }),
  ),
  choiceFilter(
    { name: 'rows', label: 'Rows', any: '25', isView: true, labels: { 50: '50', 100: '100' } },
    'Select 50 or 100 rows.',
    (rows) => ({ limit: Number(rows) }),
  ),
];

/** Amounts mean nothing without the currency, so they are removed with it. */
function currencyFilter(): Filter<{ currency?: string }> {
  const filter = textFilter(
    {
      name: 'currency',
      label: 'Currency',
      control: 'select',
      any: 'All',
      options: [...CURRENCY_EXPONENTS.keys()].toSorted().map((code) => ({ value: code, label: code })),
    },
    'Unknown currency. Select one.',
    (code) => (CURRENCY_EXPONENTS.has(code.toUpperCase()) ? { currency: code.toUpperCase() } : null),
  );
  return {
    ...filter,
    chips: [
      {
        label: 'Currency',
        names: ['currency', 'min', 'max'],
        say: (values) => (values.get('currency') ?? '').toUpperCase(),
      },
    ],
  };
}
