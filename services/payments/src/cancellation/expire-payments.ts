import type { Clock } from '@tollgate/runtime/clock';
import type { Cause, PaymentDocument } from '../lifecycle/payment.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import type { TrustedPayments } from '../seals/trusted-payments.ts';
import { ownerOf, type PaymentStore } from '../store/payment-store.ts';

const BATCH_SIZE = 100;

interface ExpirePaymentDeps {
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
}

/** Cancels every pending payment that was not settled in time, with the reason `expired`. */
export async function expirePayments(
  deps: ExpirePaymentDeps & {
    trusted: TrustedPayments;
    /** Stops the work after the current batch. */
    stopping: AbortSignal;
  },
): Promise<void> {
  const { store, trusted, clock, stopping } = deps;
  for await (const expired of store.findExpired(new Date(clock.now()), BATCH_SIZE)) {
    if (stopping.aborted) return;
    for (const payment of expired) {
      if (!trusted.isTrusted(payment)) continue;
      await expirePayment(deps, payment, { cause: { type: 'expiry', id: null }, requestId: null });
    }
  }
}

/** Null when the payment was canceled or claimed for settlement since it was read. */
export async function expirePayment(
  { store, outbox, clock }: ExpirePaymentDeps,
  payment: PaymentDocument,
  { cause, requestId }: { cause: Cause; requestId: string | null },
): Promise<PaymentDocument | null> {
  const canceled = await store.transition(ownerOf(payment), payment._id, {
    type: 'payment.canceled',
    at: new Date(clock.now()),
    cause,
    requestId,
    set: { cancellation_reason: 'expired' },
  });
  if (canceled) outbox.enqueueLatest(canceled);
  return canceled;
}
