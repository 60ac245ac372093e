import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { callProcessor, nextCall } from '../processors/call-processor.ts';
import { applyState, askLater, finishDecision } from './apply-state.ts';
import { claimPayment } from './claim.ts';

/**
 * Takes a due payment one step further: claims it, asks its processor, and writes what the processor said. Any number of
 * workers may try at once: one claim succeeds. Returns the payment as this one wrote it; null when it wrote nothing.
 */
export async function advancePayment(
  context: Context,
  payment: PaymentDocument,
): Promise<PaymentDocument | null> {
  const { store, verified, clock, logger } = context;
  if (!verified.isVerified(payment)) return null;
  const call = nextCall(payment);
  const now = new Date(clock.now());
  const claimed = await claimPayment(store, payment, { now, isStart: call === 'start' });
  // The decision and the processor are those of the claim, not those that were read before it.
  if (!claimed || !verified.isVerified(claimed)) return null;

  const written = claimed.settlement.decision
    ? await finishDecision(context, claimed, claimed.settlement.decision)
    : await askProcessor(context, claimed);
  if (!written) {
    logger.warn(
      { payment_id: payment._id },
      'a payment changed during a call to its processor; the reply was not used',
    );
    return null;
  }
  return isDueNow(written, now) ? advancePayment(context, written) : written;
}

async function askProcessor(context: Context, claimed: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(context, claimed, nextCall(claimed));
  return state ? applyState(context, claimed, state, record) : askLater(context, claimed, record);
}

/** The processor asked to be called again at once. */
function isDueNow({ status, settlement }: PaymentDocument, now: Date): boolean {
  return !isFinal(status) && settlement.due_at !== undefined && settlement.due_at <= now;
}
