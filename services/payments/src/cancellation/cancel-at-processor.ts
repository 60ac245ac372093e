import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { type ApplyDeps, applyState, askLater } from '../processing/apply-state.ts';
import { type CallDeps, callProcessor } from '../processors/call-processor.ts';
import type { CallerSlots } from '../processors/caller-slots.ts';

export type CancelAtProcessorDeps = ApplyDeps & CallDeps & { callerSlots: CallerSlots };

/** How long an application waits for the processor. The call continues after that, and its reply is used. */
export const CALLER_WAITS_MS = 10 * SECOND_MS;

/**
 * Asks the processor to cancel a payment whose cancellation is requested. Returns the payment after its reply: canceled, or
 * in the status that it has reached. Without a reply in time, or while many callers wait for this processor, the payment is still
 * pending, and a worker asks when the lease of the request ends.
 */
export async function cancelAtProcessor(
  deps: CancelAtProcessorDeps,
  payment: PaymentDocument,
  waitMs: number,
): Promise<PaymentDocument> {
  const { callerSlots, store } = deps;
  const replied = await callerSlots.run(payment.settlement.processor, () => ask(deps, payment), waitMs);
  // Another request, a callback, or a worker may have been faster: its result counts.
  return replied ?? (await store.findOfTeam(payment.team_id, payment._id)) ?? payment;
}

/** An error after the caller has stopped waiting is dropped: the lease of the request ends, and a worker asks again. */
async function ask(deps: CancelAtProcessorDeps, payment: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(deps, payment, 'cancel');
  return state ? applyState(deps, payment, state, record) : askLater(deps, payment, record);
}
