import { MINUTE_MS } from '@tollgate/contracts/durations';
import { type Failure, newestEntry, type PaymentDocument } from '../lifecycle/payment.ts';
import type { Processor, ProcessorState } from './processor.ts';

export const SANDBOX_PROCESSOR = 'sandbox';

/** How long `pm_slow` stays in `processing`. */
export const SLOW_SETTLEMENT_MS = MINUTE_MS;

const CAPACITY = 50;

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
    name: SANDBOX_PROCESSOR,
    firstDueAt({ payment_method, createdAt }) {
      return payment_method === 'pm_hold' ? null : new Date(createdAt.getTime() + settlementDelayMs);
    },
    async start(payment, now) {
      const isSlow = payment.payment_method === 'pm_slow';
      return state('processing', { askAgainAt: isSlow ? new Date(now.getTime() + SLOW_SETTLEMENT_MS) : now });
    },
    async status(payment, now) {
      const slowUntil = payment.payment_method === 'pm_slow' ? slowSettlementEnd(payment) : now;
      if (slowUntil > now) return state('processing', { askAgainAt: slowUntil });
      const failure = FAILURES.get(payment.payment_method);
      return failure ? state('failed', { failure }) : state('succeeded');
    },
    async cancel() {
      return state('canceled');
    },
    capacity: () => CAPACITY,
  };
}

function state(
  status: ProcessorState['status'],
  more: Pick<ProcessorState, 'failure' | 'askAgainAt'> = {},
): ProcessorState {
  return { status, reference: null, ...more };
}

function slowSettlementEnd(payment: PaymentDocument): Date {
  const started = newestEntry(payment, 'payment.processing');
  if (!started) throw new Error(`${payment._id} is being settled but never started processing`);
  return new Date(started.occurred_at.getTime() + SLOW_SETTLEMENT_MS);
}
