import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { PaymentDetail, TimelineEntry } from '@tollgate/contracts/payments/payment-history';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';
import type { getTimeline as timelineContract } from '@tollgate/contracts/payments/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { requireRole } from '@tollgate/security/require-role';
import { jsonOf } from '@tollgate/store/json-of';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import { findPayment } from '../lifecycle/find-payment.ts';
import { eventTypeOf, type HistoryEntry, type PaymentDocument } from '../lifecycle/payment.ts';
import { paymentDetail } from '../lifecycle/payment-detail.ts';
import { differenceView } from '../reconciliation/difference.ts';

/** @throws Problem `not-found`, also for other teams' payments */
export async function getPaymentDetail(
  context: Context,
  actor: Actor,
  paymentId: string,
): Promise<PaymentDetail> {
  const payment = await findReadable(context, actor, paymentId);
  const detail = paymentDetail(payment);
  const reference = detail.processor_reference;
  const processor = context.processors.get(detail.processor);
  const difference = await context.differences.findOfPayment(payment);
  return {
    ...detail,
    processor_url: reference === null ? null : (processor?.urlOf(reference) ?? null),
    difference: difference && differenceView(difference),
  };
}

/** Returns the payment if this member may read it. Throws what getPaymentDetail throws. */
async function findReadable(context: Context, actor: Actor, paymentId: string): Promise<PaymentDocument> {
  requireRole(actor, 'viewer', 'read payments');
  return findPayment(context, actor, paymentId);
}

/**
 * Returns every transition of a payment, and what was refunded or disputed at its processor since, oldest first.
 *
 * @throws Problem `not-found`, also for other teams' payments
 */
export async function getTimeline(
  context: Context,
  actor: Actor,
  paymentId: string,
): Promise<Static<typeof timelineContract.reply>> {
  const { history, reversals = [] } = await findReadable(context, actor, paymentId);
  return {
    ...wholeList(history.map(timelineEntry)),
    reversals: jsonOf(reversals),
  };
}

function timelineEntry(entry: HistoryEntry): TimelineEntry {
  const { event_id, version, occurred_at, cause, request_id } = jsonOf(entry);
  const { type, id, address = null } = cause;
  return {
    event_id,
    type: eventTypeOf(entry),
    version,
    occurred_at,
    cause: { type, id, address },
    request_id,
  };
}

/**
 * Returns the newest calls to the payment's processor, oldest first.
 *
 * @throws Problem `not-found`, also for other teams' payments
 */
export async function listProcessorCalls(
  context: Context,
  actor: Actor,
  paymentId: string,
): Promise<ProcessorCall[]> {
  const { processor_calls = [] } = await findReadable(context, actor, paymentId);
  return jsonOf(processor_calls);
}
