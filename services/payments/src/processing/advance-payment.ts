import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { type CallDeps, callProcessor, nextCall } from '../processors/call-processor.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import { type ApplyDeps, applyState, askLater } from './apply-state.ts';
import { claimPayment } from './claim.ts';
import { finishDecision } from './finish-decision.ts';

export interface AdvanceDeps extends ApplyDeps, CallDeps {
  verified: VerifiedPayments;
}

/**
 * Takes a due payment one step further: claims it, asks its processor, and writes what the processor said. Any number of
 * workers may try at once: one claim succeeds. Returns the payment as this one wrote it; null when it wrote nothing.
 */
export async function advancePayment(
  deps: AdvanceDeps,
  payment: PaymentDocument,
): Promise<PaymentDocument | null> {
  const { store, verified, clock, logger } = deps;
  if (!verified.isVerified(payment)) return null;
  const call = nextCall(payment);
  const now = new Date(clock.now());
  const claimed = await claimPayment(store, payment, { now, isStart: call === 'start' });
  // The decision and the processor are those of the claim, not those that were read before it.
  if (!claimed || !verified.isVerified(claimed)) return null;

  const written = claimed.settlement.decision
    ? await finishDecision(deps, claimed, claimed.settlement.decision)
    : await askProcessor(deps, claimed);
  if (!written) {
    logger.warn(
      { payment_id: payment._id },
      'a payment changed during a call to its processor; the reply was not used',
    );
    return null;
  }
  return isDueNow(written, now) ? advancePayment(deps, written) : written;
}

async function askProcessor(deps: AdvanceDeps, claimed: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(deps, claimed, nextCall(claimed));
  return state ? applyState(deps, claimed, state, record) : askLater(deps, claimed, record);
}

/** The processor asked to be called again at once. */
function isDueNow({ status, settlement }: PaymentDocument, now: Date): boolean {
  return !isFinal(status) && settlement.due_at !== undefined && settlement.due_at <= now;
}
