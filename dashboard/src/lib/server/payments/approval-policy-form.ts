import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { CURRENCY_EXPONENTS, MAX_AMOUNT } from '@tollgate/contracts/platform/money';
import { formatAmount, parseAmount } from '#lib/format/amount.ts';
import { type ApprovalRow, approvalFields, approvalRows } from '#lib/people/approval-rows.ts';
import type { Form } from '../form.ts';

/** The thresholds that a member entered. A row without values has no threshold. */
export function readThresholds(form: Form): ApprovalThreshold[] {
  const thresholds: ApprovalThreshold[] = [];
  for (const [index, row] of approvalRows(form.values).entries()) {
    if (row.currency === '' && row.amount === '') continue;
    const fields = approvalFields(index);
    const currency = row.currency.toUpperCase();
    if (!CURRENCY_EXPONENTS.has(currency)) {
      form.reject(fields.currency, 'Enter a currency code such as EUR.');
    } else if (thresholds.some((other) => other.currency === currency)) {
      form.reject(fields.currency, `${currency} is already in the list.`);
    } else {
      const amount = readAmount(row, currency);
      if (amount === null)
        form.reject(fields.amount, `Enter an amount such as ${formatAmount(100_000, currency)}.`);
      else thresholds.push({ currency, amount });
    }
  }
  return thresholds;
}

function readAmount({ amount }: ApprovalRow, currency: string): number | null {
  const minorUnits = parseAmount(amount, currency);
  return minorUnits === null || minorUnits > MAX_AMOUNT ? null : minorUnits;
}
