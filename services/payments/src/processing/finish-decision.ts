import type { Clock } from '@tollgate/runtime/clock';
import type { MemberDecision, PaymentDocument } from '../lifecycle/payment.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { claimGuard } from '../store/payment-writes.ts';

/**
 * Ends a payment as a member decided, only under the fence of the claim. Null when another claim was made since.
 */
export async function finishDecision(
  { store, outbox, clock }: { store: PaymentStore; outbox: PaymentOutbox; clock: Clock },
  claimed: PaymentDocument,
  { outcome, cause, request_id }: MemberDecision,
): Promise<PaymentDocument | null> {
  const finished = await store.transition(
    claimed,
    {
      type: outcome.status === 'succeeded' ? 'payment.succeeded' : 'payment.failed',
      at: new Date(clock.now()),
      cause,
      requestId: request_id,
      ...(outcome.status === 'failed' && { set: { failure: outcome.failure } }),
    },
    claimGuard(claimed),
  );
  if (finished) outbox.enqueueLatest(finished);
  return finished;
}
