import { DAY_MS, HOUR_MS } from '@tollgate/contracts/durations';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { askStatus, type CallDeps } from '../processors/call-processor.ts';
import { processorNamed } from '../processors/processor.ts';
import type { TrustedPayments } from '../seals/trusted-payments.ts';
import { differs } from './difference.ts';
import type { DifferenceStore } from './difference-store.ts';

/** Without a reply, it is unknown whether there is a difference. */
const WITHOUT_REPLY_ASK_AFTER_MS = HOUR_MS;
/** A difference goes away by itself when it is corrected at the processor. */
const DIFFERING_ASK_AFTER_MS = DAY_MS;

export interface CompareDeps extends CallDeps {
  trusted: TrustedPayments;
  differences: DifferenceStore;
}

/**
 * Asks the processor about a payment that has ended, and stores what differs. Never changes the payment. Returns false when
 * the processor has become unavailable, which says nothing about the payment.
 */
export async function comparePayment(deps: CompareDeps, payment: PaymentDocument): Promise<boolean> {
  const { trusted, differences } = deps;
  if (!trusted.isTrusted(payment)) return true;
  const { record } = await askStatus(deps, payment);
  const { processor } = payment.settlement;
  if (record.error !== null && !processorNamed(deps.processors, processor).isAvailable()) return false;
  if (record.error === null && !differs(payment.status, record.status)) {
    await differences.remove(payment._id);
    return true;
  }
  if (record.error === null) {
    deps.logger.error(
      { payment_id: payment._id, processor, processor_status: record.status },
      `a processor reports another outcome for a payment that is ${payment.status}; check the payment there`,
    );
  }
  const askAfterMs = record.error === null ? DIFFERING_ASK_AFTER_MS : WITHOUT_REPLY_ASK_AFTER_MS;
  await differences.record(payment, record, new Date(record.at.getTime() + askAfterMs));
  return true;
}
