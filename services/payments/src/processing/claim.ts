import type { MemberDecision, PaymentDocument } from '../lifecycle/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { claimGuard } from '../store/payment-writes.ts';

// These claims are leases with a fence, but no use of `createLeases`: a claim writes other fields of the settlement, or a whole
// transition with its seal, in the same update. A claim before it would cost every payment another write.

/** How long a worker may take for one call. After that, another worker may claim the payment. Longer than any call's deadline. */
export const LEASE_MS = 30_000;

/**
 * Claims a payment for a call to its processor: raises the fence and sets the end of the lease. Of several claims based on
 * the same read, one succeeds. Returns the claimed payment, or null when another claim was first. A claim invalidates the
 * claim of an earlier worker.
 */
export async function claimPayment(
  store: PaymentStore,
  payment: PaymentDocument,
  { now, isStart }: { now: Date; isStart: boolean },
): Promise<PaymentDocument | null> {
  const { fence, started_at } = payment.settlement;
  return store.updateSettlement(payment, {
    due_at: new Date(now.getTime() + LEASE_MS),
    fence: fence + 1,
    // Written before the call: from then on, only the processor can cancel the payment.
    ...(isStart && !started_at && { started_at: now }),
  });
}

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
