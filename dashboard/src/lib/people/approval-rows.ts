import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { formatAmount } from '#lib/format/amount.ts';

/** A threshold as it is typed. */
export interface ApprovalRow {
  currency: string;
  amount: string;
}

/** The names of the fields of a row. */
export function approvalFields(index: number): ApprovalRow {
  return { currency: `currency_${index}`, amount: `amount_${index}` };
}

/** The rows of a submitted form. */
export function approvalRows(values: Record<string, string>): ApprovalRow[] {
  const rows: ApprovalRow[] = [];
  for (let index = 0; approvalFields(index).currency in values; index += 1) {
    const { currency, amount } = approvalFields(index);
    rows.push({ currency: (values[currency] ?? '').trim(), amount: (values[amount] ?? '').trim() });
  }
  return rows;
}

/** The rows of the current policy, and an empty one for another currency. */
export function rowsOfPolicy(thresholds: readonly ApprovalThreshold[]): ApprovalRow[] {
  return [
    ...thresholds.map(({ currency, amount }) => ({ currency, amount: formatAmount(amount, currency) })),
    { currency: '', amount: '' },
  ];
}
