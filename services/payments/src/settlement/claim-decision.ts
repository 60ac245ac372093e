import type { MemberDecision, PaymentDocument } from '../lifecycle/payment.ts';
import { LEASE_MS } from '../processing/claim.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { claimGuard } from '../store/payment-writes.ts';

/**
 * Claims a pending or processing payment for a member's decision, which is stored with the claim, so that a worker finishes it
 * after a crash. Returns the claimed payment, or null when another claim was first.
 */
export async function claimForDecision(
  store: PaymentStore,
  payment: PaymentDocument,
  { now, decision }: { now: Date; decision: MemberDecision },
): Promise<PaymentDocument | null> {
  const fence = payment.settlement.fence + 1;
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  if (payment.status === 'processing') {
    return store.updateSettlement(payment, { due_at: leaseEnd, fence, decision });
  }
  const change = {
    type: 'payment.processing',
    at: now,
    cause: decision.cause,
    requestId: decision.request_id,
    set: {
      'settlement.due_at': leaseEnd,
      'settlement.fence': fence,
      'settlement.decision': decision,
    },
  } as const;
  return store.transition(payment, change, claimGuard(payment));
}
