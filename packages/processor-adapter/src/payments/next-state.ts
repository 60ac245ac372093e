import type { PaymentState } from '../contract/payment-state.ts';

/** Whether the processor reports a step back, which the contract excludes. A final state is not asked about again. */
export function isRegression(known: PaymentState | null, reported: PaymentState): boolean {
  return known?.status === 'processing' && reported.status === 'action_required';
}

/** The state after a report of the processor. The first reference stays, because Tollgate has stored it. */
export function nextState(known: PaymentState | null, reported: PaymentState): PaymentState {
  if (known === null) return reported;
  if (isRegression(known, reported)) return known;
  return { ...reported, reference: known.reference ?? reported.reference };
}

/** The state of a payment that has ended, after a report of the processor: only refunds and disputes change it. */
export function endedState(known: PaymentState, reported: PaymentState): PaymentState {
  const next = { ...known };
  for (const name of ['refunded_amount', 'disputed_amount'] as const) {
    const amount = reported[name] ?? known[name] ?? 0;
    if (amount !== (known[name] ?? 0)) next[name] = amount;
  }
  return next;
}
