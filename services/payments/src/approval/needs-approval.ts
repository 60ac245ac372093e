import type { ApprovalPolicy } from '@tollgate/contracts/payments/settlement-approval';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** Whether the team's policy requires a second member for the settlement of a payment. */
export function needsApproval(
  { thresholds }: Pick<ApprovalPolicy, 'thresholds'>,
  { environment, amount, currency }: Pick<PaymentDocument, 'environment' | 'amount' | 'currency'>,
): boolean {
  if (environment !== 'live') return false;
  return thresholds.some((threshold) => threshold.currency === currency && amount > threshold.amount);
}
