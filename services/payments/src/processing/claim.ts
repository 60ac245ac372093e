import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { PaymentStore } from '../store/payment-store.ts';

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
