import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '@tollgate/contracts/durations';
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
  const replied = new AbortController();
  const asking = deps.callerSlots
    .run(payment.settlement.processor, () => ask(deps, payment))
    ?.finally(() => replied.abort());
  if (!asking) return payment;
  const timeout = wait(waitMs, null, { signal: replied.signal, ref: false }).catch(() => null);
  // Null when another request, a callback, or a worker was faster: its result counts.
  return (await Promise.race([asking, timeout])) ?? (await current(deps, payment));
}

/** An error after the caller has stopped waiting is dropped: the lease of the request ends, and a worker asks again. */
async function ask(deps: CancelAtProcessorDeps, payment: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(deps, payment, 'cancel');
  return state ? applyState(deps, payment, state, record) : askLater(deps, payment, record);
}

async function current({ store }: CancelAtProcessorDeps, payment: PaymentDocument): Promise<PaymentDocument> {
  return (await store.findOfTeam(payment.team_id, payment._id)) ?? payment;
}
