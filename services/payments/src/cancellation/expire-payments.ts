import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { requestCancellation } from './request-cancellation.ts';

const BATCH_SIZE = 100;

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
