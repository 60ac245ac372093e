import type { Cause, MemberDecision, PaymentDocument, SettlementOutcome } from './payment.ts';
import { claimGuard, ownerOf, type PaymentStore } from './payment-store.ts';

/** How long a worker may take over one settlement; after that another takes the payment up. */
export const LEASE_MS = 30_000;

/**
 * Takes a pending or processing payment up for settlement: raises the fence and sets the end of the lease. Of several claims on the
 * same reading of a payment one succeeds. The result is the claimed payment, or null when someone else was faster. From a
 * worker that had it before, a claim takes the payment away.
 */
export async function claimPayment(
  store: PaymentStore,
  payment: PaymentDocument,
  claim: { now: Date; cause: Cause; decision?: MemberDecision },
): Promise<PaymentDocument | null> {
  const fence = payment.settlement.fence + 1;
  const leaseEnd = new Date(claim.now.getTime() + LEASE_MS);
  const decided = claim.decision && { decision: claim.decision };
  if (payment.status === 'processing') {
    return store.updateSettlement(payment, { due_at: leaseEnd, fence, ...decided });
  }
  const change = {
    type: 'payment.processing',
    at: claim.now,
    cause: claim.cause,
    requestId: claim.decision?.request_id ?? null,
    set: {
      'settlement.due_at': leaseEnd,
      'settlement.fence': fence,
      ...(claim.decision && { 'settlement.decision': claim.decision }),
    },
  } as const;
  return store.transition(ownerOf(payment), payment._id, change, claimGuard(payment));
}

/** Ends a settlement, only under the fence of the claim: null when another worker has taken the payment over. */
export async function finishSettlement(
  store: PaymentStore,
  claimed: PaymentDocument,
  outcome: SettlementOutcome,
  finish: { now: Date; cause: Cause },
): Promise<PaymentDocument | null> {
  const change = {
    type: outcome.status === 'succeeded' ? 'payment.succeeded' : 'payment.failed',
    at: finish.now,
    cause: finish.cause,
    requestId: claimed.settlement.decision?.request_id ?? null,
    ...(outcome.status === 'failed' && { set: { failure: outcome.failure } }),
  } as const;
  return store.transition(ownerOf(claimed), claimed._id, change, {
    'settlement.fence': claimed.settlement.fence,
  });
}
