import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import { type RequestCancellationDeps, requestCancellation } from './request-cancellation.ts';

const BATCH_SIZE = 100;

/**
 * Cancels every pending payment that was not settled in time, with the reason `expired`. A worker asks the processor about
 * those that it has started.
 */
export async function expirePayments(
  deps: RequestCancellationDeps & {
    verified: VerifiedPayments;
    /** Stops the work after the current batch. */
    stopping: AbortSignal;
  },
): Promise<void> {
  const { store, verified, clock, stopping } = deps;
  for await (const expired of store.findExpired(new Date(clock.now()), BATCH_SIZE)) {
    if (stopping.aborted) return;
    for (const payment of expired) {
      if (verified.isVerified(payment)) await expirePayment(deps, payment);
    }
  }
}

/** A payment that changed since it was read is left to the next pass. */
async function expirePayment(deps: RequestCancellationDeps, payment: PaymentDocument): Promise<void> {
  await requestCancellation(deps, payment, {
    cause: { type: 'expiry', id: null },
    requestId: null,
    reason: 'expired',
  });
}
