import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { Failure, PaymentDocument } from '../lifecycle/payment.ts';
import type { Processor } from './processor.ts';

/** How long `pm_slow` stays in `processing`. */
export const SLOW_SETTLEMENT_MS = MINUTE_MS;

const FAILURES = new Map<string | null, Failure>([
  ['pm_decline', { code: 'declined', message: 'The payment was declined.' }],
  ['pm_insufficient_funds', { code: 'insufficient_funds', message: 'The payer has insufficient funds.' }],
]);

/**
 * Settles test payments according to `payment_method`: `pm_decline` and `pm_insufficient_funds` fail, `pm_hold` stays
 * pending, `pm_slow` stays processing for a minute. All others succeed, so that real tokens can be tested as well.
 */
export function createSandboxProcessor({ settlementDelayMs }: { settlementDelayMs: number }): Processor {
  return {
    name: 'sandbox',
    firstDueAt({ payment_method, createdAt }) {
      return payment_method === 'pm_hold' ? null : new Date(createdAt.getTime() + settlementDelayMs);
    },
    async settle(payment, now) {
      const slowUntil = payment.payment_method === 'pm_slow' ? slowSettlementEnd(payment) : now;
      if (slowUntil > now) return { status: 'undecided', askAgainAt: slowUntil };
      const failure = FAILURES.get(payment.payment_method);
      return failure ? { status: 'failed', failure } : { status: 'succeeded' };
    },
  };
}

function slowSettlementEnd(payment: PaymentDocument): Date {
  const started = payment.history.find((entry) => entry.type === 'payment.processing');
  if (!started) throw new Error(`${payment._id} is being settled but never started processing`);
  return new Date(started.occurred_at.getTime() + SLOW_SETTLEMENT_MS);
}
