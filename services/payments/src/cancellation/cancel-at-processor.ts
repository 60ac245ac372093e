import type { PaymentDocument } from '../lifecycle/payment.ts';
import { type ApplyDeps, applyState, askLater } from '../processing/apply-state.ts';
import { type CallDeps, callProcessor } from '../processing/call-processor.ts';

export type CancelAtProcessorDeps = ApplyDeps & CallDeps;

/**
 * Asks the processor to cancel a payment whose cancellation is requested. Returns the payment after its reply: canceled, or
 * in the status that it has reached. Without a reply, the payment stays pending, and a worker asks again.
 */
export async function cancelAtProcessor(
  deps: CancelAtProcessorDeps,
  payment: PaymentDocument,
): Promise<PaymentDocument> {
  const { state, record } = await callProcessor(deps, payment, 'cancel');
  const written = state
    ? await applyState(deps, payment, state, record)
    : await askLater(deps, payment, record);
  // Null when another request, a callback, or a worker was faster: its result counts.
  return written ?? (await current(deps, payment));
}

async function current({ store }: CancelAtProcessorDeps, payment: PaymentDocument): Promise<PaymentDocument> {
  return (await store.findOfTeam(payment.team_id, payment._id)) ?? payment;
}
