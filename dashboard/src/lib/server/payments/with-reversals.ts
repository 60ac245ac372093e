import type { Reversal } from '@tollgate/contracts/payments/payment-history';
import type { TimelineStep } from '#lib/payments/payment-view.ts';

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
