import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { formatAmount } from '#lib/format/amount.ts';

/** The rows of the current policy as they are typed, and an empty one for another currency. */
export function rowsOfPolicy(thresholds: readonly ApprovalThreshold[]) {
  return [
    ...thresholds.map(({ currency, amount }) => ({ currency, amount: formatAmount(amount, currency) })),
    { currency: '', amount: '' },
  ];
}
