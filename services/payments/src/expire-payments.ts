import type { Clock } from '@tollgate/runtime/clock';
import type { PaymentOutbox } from './payment-outbox.ts';
import { ownerOf, type PaymentStore } from './payment-store.ts';

const BATCH_SIZE = 100;

/** Cancels every pending payment that nobody settled in time, with the reason `expired`. */
export async function expirePayments(deps: {
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
  /** Ends the work after the batch in flight. */
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
      // Null: canceled or taken up for settlement in the meantime.
      if (canceled) outbox.enqueueLatest(canceled);
    }
    if (expired.length < BATCH_SIZE) return;
  }
}
