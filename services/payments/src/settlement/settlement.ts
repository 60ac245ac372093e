import type { Cause, MemberDecision, PaymentDocument, SettlementOutcome } from '../lifecycle/payment.ts';
import { claimGuard, ownerOf, type PaymentStore } from '../store/payment-store.ts';

/** How long a worker may take for one settlement. After that, another worker may claim the payment. */
export const LEASE_MS = 30_000;

/**
 * Claims a pending or processing payment for settlement: raises the fence and sets the end of the lease. Of several
 * claims based on the same read, one succeeds. Returns the claimed payment, or null when another claim was first. A
 * claim invalidates the claim of an earlier worker.
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

/** Ends a settlement, only under the fence of the claim. Null when another worker has claimed the payment since. */
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
