import type { CancellationReason } from '@tollgate/contracts/payments/payment';
import type { Context } from '../context.ts';
import type { BoundKey, Cause, PaymentDocument } from '../lifecycle/payment.ts';
import { claimGuard } from '../store/payment-writes.ts';

const BATCH_SIZE = 100;

export interface CancellationRequest {
  cause: Cause;
  requestId: string | null;
  reason: CancellationReason | null;
  cancelKey?: BoundKey | null;
  /** How long the requester takes to ask the processor itself. By default, a worker asks. */
  leaseMs?: number;
}

/**
 * Cancels a pending payment that its processor has not started. For one that it has, stores the request, so that the processor
 * is asked even if this process dies. Null when the payment changed since it was read, or when another payment has bound the
 * key.
 */
export async function requestCancellation(
  { store, outbox, clock }: Context,
  payment: PaymentDocument,
  { cause, requestId, reason, cancelKey, leaseMs = 0 }: CancellationRequest,
): Promise<PaymentDocument | null> {
  const at = new Date(clock.now());
  const isStarted = payment.settlement.started_at !== undefined;
  const changed = await store.transition(
    payment,
    {
      type: isStarted ? 'payment.cancellation_requested' : 'payment.canceled',
      at,
      cause,
      requestId,
      set: {
        cancellation_reason: reason,
        ...(cancelKey && { cancel_key: cancelKey }),
        ...(isStarted && {
          'settlement.fence': payment.settlement.fence + 1,
          'settlement.due_at': new Date(at.getTime() + leaseMs),
          'settlement.calls': 0,
        }),
      },
    },
    // A worker that has claimed the payment since it was read may have started it.
    claimGuard(payment),
  );
  if (changed) outbox.enqueueLatest(changed);
  return changed;
}

/**
 * Cancels every pending payment that was not settled in time, with the reason `expired`. A worker asks the processor about
 * those that it has started.
 */
export async function expirePayments(context: Context): Promise<void> {
  const { store, verified, clock, stopping } = context;
  for await (const expired of store.findExpired(new Date(clock.now()), BATCH_SIZE)) {
    if (stopping.aborted) return;
    for (const payment of expired) {
      if (verified.isVerified(payment)) await expirePayment(context, payment);
    }
  }
}

/** A payment that changed since it was read is left to the next pass. */
async function expirePayment(context: Context, payment: PaymentDocument): Promise<void> {
  await requestCancellation(context, payment, {
    cause: { type: 'expiry', id: null },
    requestId: null,
    reason: 'expired',
  });
}
