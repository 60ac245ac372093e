import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { applyState, askLater } from '../processing/apply-state.ts';
import { callProcessor } from '../processors/call-processor.ts';

/** How long an application waits for the processor. The call continues after that, and its reply is used. */
export const CALLER_WAITS_MS = 10 * SECOND_MS;

/**
 * Asks the processor to cancel a payment whose cancellation is requested. Returns the payment after its reply: canceled, or
 * in the status that it has reached. Without a reply in time, or while many callers wait for this processor, the payment is still
 * pending, and a worker asks when the lease of the request ends.
 */
export async function cancelAtProcessor(
  context: Context,
  payment: PaymentDocument,
  waitMs: number,
): Promise<PaymentDocument> {
  const { callerSlots, store } = context;
  const replied = await callerSlots.run(payment.settlement.processor, () => ask(context, payment), waitMs);
  // Another request, a callback, or a worker may have been faster: its result counts.
  return replied ?? (await store.findOfTeam(payment.team_id, payment._id)) ?? payment;
}

/** An error after the caller has stopped waiting is dropped: the lease of the request ends, and a worker asks again. */
async function ask(context: Context, payment: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(context, payment, 'cancel');
  return state ? applyState(context, payment, state, record) : askLater(context, payment, record);
}
