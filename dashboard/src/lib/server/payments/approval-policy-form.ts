import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { CURRENCY_EXPONENTS, MAX_AMOUNT } from '@tollgate/contracts/platform/money';
import { formatAmount, parseAmount } from '#lib/format/amount.ts';
import { numberedRows } from '#lib/forms/numbered-rows.ts';
import type { Form } from '../form.ts';

/** The thresholds that a member entered. A row without values has no threshold. */
export function readThresholds(form: Form): ApprovalThreshold[] {
  const thresholds: ApprovalThreshold[] = [];
  for (const [index, row] of numberedRows(form.values, ['currency', 'amount']).entries()) {
    if (row.currency === '' && row.amount === '') continue;
    const currency = row.currency.toUpperCase();
    if (!CURRENCY_EXPONENTS.has(currency)) {
      form.reject(`currency_${index}`, 'Enter a currency code such as EUR.');
    } else if (thresholds.some((other) => other.currency === currency)) {
      form.reject(`currency_${index}`, `${currency} is already in the list.`);
    } else {
      const amount = readAmount(row.amount, currency);
      if (amount === null)
        form.reject(`amount_${index}`, `Enter an amount such as ${formatAmount(100_000, currency)}.`);
      else thresholds.push({ currency, amount });
    }
  }
  return thresholds;
}

function readAmount(amount: string, currency: string): number | null {
  const minorUnits = parseAmount(amount, currency);
  return minorUnits === null || minorUnits > MAX_AMOUNT ? null : minorUnits;
}
