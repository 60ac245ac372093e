import type { SettlementOutcome } from './payment.ts';

/** Whether two decisions end a payment in the same way. The message of a failure may differ. */
export function isSameOutcome(a: SettlementOutcome, b: SettlementOutcome): boolean {
  if (a.status !== 'failed' || b.status !== 'failed') return a.status === b.status;
  return a.failure.code === b.failure.code;
}
