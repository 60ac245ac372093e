import type { Clock } from '@tollgate/runtime/clock';
import type { PaymentOutbox } from './payment-outbox.ts';
import { ownerOf, type PaymentStore } from './payment-store.ts';

const BATCH_SIZE = 100;

/** Cancels every pending payment that was not settled in time, with the reason `expired`. */
export async function expirePayments(deps: {
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
  /** Stops the work after the current batch. */
  stopping: AbortSignal;
}): Promise<void> {
  const { store, outbox, clock, stopping } = deps;
  while (!stopping.aborted) {
    const now = new Date(clock.now());
    const expired = await store.findExpired(now, BATCH_SIZE);
    for (const payment of expired) {
      const canceled = await store.transition(ownerOf(payment), payment._id, {
        type: 'payment.canceled',
        at: now,
        cause: { type: 'expiry', id: null },
        requestId: null,
        set: { cancellation_reason: 'expired' },
      });
      // Null: canceled or claimed for settlement in the meantime.
      if (canceled) outbox.enqueueLatest(canceled);
    }
    if (expired.length < BATCH_SIZE) return;
  }
}
