import type { PaymentStatus, ProcessorStatus } from '@tollgate/contracts/payments/payment';
import type { PaymentDifference } from '@tollgate/contracts/payments/payment-difference';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isFinal as isFinalState } from '@tollgate/processor-adapter/contract/final-status';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import { jsonOf } from '@tollgate/store/json-of';
import { AUDITED_FIELDS, optionalShape, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import { endedAtOf, type PaymentDocument, type Reversal } from '../lifecycle/payment.ts';
import { isFinal } from '../lifecycle/transitions.ts';

/** Name of the collection, one of the service's audited ones. */
export const DIFFERENCES = 'payment_differences';

/** What a processor says about a payment. Neither a status nor an error: it does not know the payment. */
export interface Reply {
  at: Date;
  /** With an error, the last status that the processor reported, if any. */
  status?: ProcessorStatus | null;
  error: string | null;
  /** The money, in minor units. Absent, as the status, while the processor has only failed to respond. */
  amount?: number | null;
  currency?: string | null;
  refunded_amount?: number | null;
  disputed_amount?: number | null;
}

export type Resolution = Omit<NonNullable<PaymentDifference['resolution']>, 'at'> & { at: Date };

const definition = {
  /** The payment's id: a payment has one difference. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  processor: { type: String, required: true },
  amount: { type: Number, required: true },
  currency: { type: String, required: true },
  status: textOf<PaymentStatus>(),
  /** When the payment reached the status. */
  ended_at: { type: Date, required: true },
  /** The day (UTC) of `ended_at`. */
  day: { type: String, required: true },
  /** When the processor is asked next. Absent once the difference is resolved. */
  ask_at: { type: Date, allowNull: false },
  /** What the processor said when it was last asked. Absent while a callback is all that there is. */
  reply: optionalShape<Reply>(),
  /** Set when nothing differs but a refund. The payee decided it, so it needs no attention. */
  is_refund: { type: Boolean, allowNull: false },
  resolution: optionalShape<Resolution>(),
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** A payment whose processor reports another outcome or other money. */
export type DifferenceDocument = InferRawDocType<typeof definition>;

/** One that was found, not only suspected. */
export type FoundDifference = DifferenceDocument & { reply: Reply };

export const differenceSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: DIFFERENCES });

/** @param state null when the processor does not know the payment */
export function replyOf(state: PaymentState | null, at: Date): Reply {
  const {
    status = null,
    amount = null,
    currency = null,
    refunded_amount = null,
    disputed_amount = null,
  } = state ?? {};
  return { at, error: null, status, amount, currency, refunded_amount, disputed_amount };
}

/**
 * Whether the processor has another amount of money for a payment that has ended than callers see: all of it for one that
 * succeeded, and none for one that failed or was canceled. Of an open payment, whether the processor reports its end with money
 * that is not the payment's.
 *
 * @param reported null when the processor does not know the payment
 */
export function differs(
  payment: Pick<PaymentDocument, 'status' | 'amount' | 'currency'>,
  reported: PaymentState | null,
): boolean {
  if (!isFinal(payment.status)) return reported !== null && !hasMoneyOf(payment, reported);
  const expected = payment.status === 'succeeded' ? payment.amount : 0;
  if (reported === null) return expected !== 0;
  if (!isFinalState(reported)) return true;
  const { amount, refunded_amount, disputed_amount, currency } = reported;
  const kept = (amount ?? 0) - (refunded_amount ?? 0) - (disputed_amount ?? 0);
  return kept !== expected || (kept !== 0 && currency !== payment.currency);
}

/** Whether a payment that succeeded differs only by refunds. */
export function isRefund(
  payment: PaymentDocument,
  { status, amount, currency, disputed_amount }: Reply,
): boolean {
  const isPaid = payment.status === 'succeeded' && status === 'succeeded';
  return isPaid && amount === payment.amount && currency === payment.currency && !disputed_amount;
}

/** The part of a difference that the payment determines. */
export function differenceOf(payment: PaymentDocument) {
  const { _id, team_id, application_id, environment, amount, currency, status } = payment;
  const endedAt = endedAtOf(payment);
  return {
    _id,
    team_id,
    application_id,
    environment,
    processor: payment.settlement.processor,
    amount,
    currency,
    status,
    ended_at: endedAt,
    day: dayOf(endedAt),
  };
}

/** The day in UTC, such as `2026-03-31`. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function differenceView(difference: FoundDifference): PaymentDifference {
  const { _id, reply, resolution, ...found } = difference;
  return {
    payment_id: _id,
    application_id: found.application_id,
    processor: found.processor,
    amount: found.amount,
    currency: found.currency,
    status: found.status,
    ended_at: found.ended_at.toISOString(),
    processor_status: reply.status ?? null,
    processor_amount: reply.amount ?? null,
    processor_currency: reply.currency ?? null,
    refunded_amount: reply.refunded_amount ?? null,
    disputed_amount: reply.disputed_amount ?? null,
    error: reply.error,
    asked_at: reply.at.toISOString(),
    resolution: jsonOf(resolution ?? null),
  };
}

/** What a processor says about refunds and disputes and has not said before. Without a number, it does not know. */
export function newReversals(
  { reversals = [], currency }: Pick<PaymentDocument, 'reversals' | 'currency'>,
  state: PaymentState,
  at: Date,
): Reversal[] {
  const reported = { refund: state.refunded_amount, dispute: state.disputed_amount };
  return (['refund', 'dispute'] as const).flatMap((type) => {
    const amount = reported[type];
    const known = reversals.findLast((reversal) => reversal.type === type)?.amount ?? 0;
    if (typeof amount !== 'number' || amount === known) return [];
    return [{ at, type, amount, currency: state.currency ?? currency }];
  });
}
