import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';
import { askStatus } from '../processors/call-processor.ts';
import { processorNamed } from '../processors/processor.ts';
import { differs, isRefund, newReversals, replyOf } from './difference.ts';

/** Without a reply, it is unknown whether there is a difference. */
const WITHOUT_REPLY_ASK_AFTER_MS = HOUR_MS;
/** A difference goes away by itself when it is corrected at the processor. */
const DIFFERING_ASK_AFTER_MS = DAY_MS;
/** A refund rarely fails, and a team may have many that nobody resolves. */
const REFUNDED_ASK_AFTER_MS = 30 * DAY_MS;

/**
 * Asks the processor about a payment, and stores what differs, and refunds and disputes. Never changes the status of the payment.
 * Returns false when the processor has become unavailable, which says nothing about the payment.
 */
export async function comparePayment(context: Context, payment: PaymentDocument): Promise<boolean> {
  const { verified, store, differences } = context;
  if (!verified.isVerified(payment)) return true;
  const { state, record } = await askStatus(context, payment);
  const { processor } = payment.settlement;
  if (record.error !== null && !processorNamed(context.processors, processor).isAvailable()) return false;
  const { at, error } = record;
  if (error !== null) {
    await differences.record(payment, { at, error }, new Date(at.getTime() + WITHOUT_REPLY_ASK_AFTER_MS));
    return true;
  }
  if (state && isFinal(payment.status)) await store.addReversals(payment, newReversals(payment, state, at));
  if (!differs(payment, state)) {
    await differences.remove(payment._id);
    return true;
  }
  const reply = replyOf(state, at);
  const hasRefundsOnly = isRefund(payment, reply);
  if (!hasRefundsOnly) {
    context.logger.error(
      { payment_id: payment._id, processor, processor_status: reply.status },
      `a processor reports another outcome or amount for a payment that is ${payment.status}; check the payment there`,
    );
  }
  const askAfterMs = hasRefundsOnly ? REFUNDED_ASK_AFTER_MS : DIFFERING_ASK_AFTER_MS;
  await differences.record(payment, reply, new Date(at.getTime() + askAfterMs));
  return true;
}
