import type { SignedAuditEntry } from '@tollgate/contracts/audit';
import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentStatus, ProcessorStatus } from '@tollgate/contracts/payment';
import type { PaymentDifference } from '@tollgate/contracts/payment-difference';
import { endedAtOf, type PaymentDocument } from '../lifecycle/payment.ts';

/**
 * A payment that has ended, and whose processor reports something else, as stored. What it says about the payment never
 * changes, because the payment has ended.
 */
export interface DifferenceDocument {
  /** The payment's id: a payment has one difference. */
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  processor: string;
  amount: number;
  currency: string;
  status: PaymentStatus;
  ended_at: Date;
  /** The day (UTC) of `ended_at`. */
  day: string;
  /** When the processor is asked next. Absent once the difference is resolved. */
  ask_at?: Date;
  /** What the processor said when it was last asked. Absent while a callback is all that there is. */
  reply?: Reply;
  resolution?: Resolution;
  outbox: SignedAuditEntry[];
}

/** What a processor says about a payment. Neither a status nor an error: it does not know the payment. */
export interface Reply {
  at: Date;
  /** With an error, the last status that the processor reported, if any. */
  status?: ProcessorStatus | null;
  error: string | null;
}

type Resolution = Omit<NonNullable<PaymentDifference['resolution']>, 'at'> & { at: Date };

/**
 * Whether money may have moved for a payment that callers see as failed or canceled, or may not have moved for one that
 * succeeded.
 *
 * @param reported null when the processor does not know the payment
 */
export function differs(status: PaymentStatus, reported: ProcessorStatus | null): boolean {
  if (status === 'succeeded') return reported !== 'succeeded';
  return reported !== null && reported !== 'failed' && reported !== 'canceled';
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

/** @param difference with a reply: without one, nothing is found yet */
export function differenceView(difference: DifferenceDocument & { reply: Reply }): PaymentDifference {
  const { reply, resolution } = difference;
  return {
    payment_id: difference._id,
    application_id: difference.application_id,
    processor: difference.processor,
    amount: difference.amount,
    currency: difference.currency,
    status: difference.status,
    ended_at: difference.ended_at.toISOString(),
    processor_status: reply.status ?? null,
    error: reply.error,
    asked_at: reply.at.toISOString(),
    resolution: resolution ? { ...resolution, at: resolution.at.toISOString() } : null,
  };
}
