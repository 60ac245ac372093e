import { CURRENCY_EXPONENTS, MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { formatAmount, parseAmount } from '#lib/format/amount.ts';
import type { Filter, FilterChip, Reject, Values } from '#lib/server/list/filter.ts';

type AmountRequest = Partial<Record<'amount_min' | 'amount_max', number | undefined>>;

/** The range of the amount. It needs the filter `currency`, which determines the decimals. */
export const amountFilter: Filter<AmountRequest> = {
  fields: [
    { name: 'min', label: 'Minimum amount', control: 'text', placeholder: '10.00', isMore: true },
    { name: 'max', label: 'Maximum amount', control: 'text', placeholder: '250.00', isMore: true },
  ],
  chips: [chip('Minimum amount', 'min'), chip('Maximum amount', 'max')],
  read(values, reject) {
    if (!values.has('min') && !values.has('max')) return {};
    const currency = currencyOf(values);
    if (currency === '') reject('currency', 'Enter a currency for the amount.');
    if (!CURRENCY_EXPONENTS.has(currency)) return {};
    const min = readAmount('min', values, reject);
    const max = readAmount('max', values, reject);
    if (min !== null && max !== null && min > max)
      reject('max', 'The maximum must not be less than the minimum.');
    return { amount_min: min ?? undefined, amount_max: max ?? undefined };
  },
};

function readAmount(name: 'min' | 'max', values: Values, reject: Reject): number | null {
  const text = values.get(name);
  if (text === null) return null;
  const currency = currencyOf(values);
  const amount = parseAmount(text, currency);
  if (amount === null) reject(name, `Enter an amount such as ${formatAmount(123_456, currency)}.`);
  else if (amount >= MIN_AMOUNT && amount <= MAX_AMOUNT) return amount;
  else {
    const [least, most] = [MIN_AMOUNT, MAX_AMOUNT].map((limit) => formatAmount(limit, currency));
    reject(name, `Enter an amount from ${least} to ${most}.`);
  }
  return null;
}

function chip(label: string, name: 'min' | 'max'): FilterChip {
  return { label, names: [name], say: (values) => `${values.get(name)} ${currencyOf(values)}`.trim() };
}

function currencyOf(values: Values): string {
  return (values.get('currency') ?? '').toUpperCase();
}
