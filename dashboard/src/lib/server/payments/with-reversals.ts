import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Reversal } from '@tollgate/contracts/payments/payment-history';

/** One transition with its cause, or a refund or a dispute at the processor. */
export interface TimelineStep {
  /** Unique in the timeline. */
  id: string;
  type: PaymentEventType | Reversal['type'];
  at: string;
  by: {
    kind: 'key' | 'member' | 'token' | 'processor' | 'expiry' | 'retention' | 'other';
    name: string;
    href: string | null;
    note: string | null;
  };
  requestId: string | null;
  /** Refunded or disputed in all; null for a transition. */
  money: { amount: number; currency: string } | null;
}

/** Adds refunds and disputes to the transitions of a payment, whose order stays: the clocks of instances differ. */
export function withReversals(
  steps: readonly TimelineStep[],
  reversals: readonly Reversal[],
  processor: string,
): TimelineStep[] {
  const timeline = [...steps];
  for (const { at, type, amount, currency } of reversals) {
    const before = timeline.findLastIndex((step) => Date.parse(step.at) <= Date.parse(at));
    timeline.splice(before + 1, 0, {
      id: `${type} ${at}`,
      type,
      at,
      by: { kind: 'processor', name: processor, href: null, note: null },
      requestId: null,
      money: { amount, currency },
    });
  }
  return timeline;
}
