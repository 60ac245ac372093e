import Type, { type Static } from 'typebox';
import { ACCOUNT_LIMITS } from '../platform/account-limits.ts';
import { Id, Nullable, Time } from '../platform/schema.ts';
import { DIFFERENCE_LIMITS } from './difference-limits.ts';
import { PAYMENT_STATUSES, Payment, PROCESSOR_STATUSES } from './payment.ts';
import { CallError } from './processors.ts';

/** How a member or an API token resolved a difference. */
const Resolution = Type.Object({
  at: Time,
  by: Type.Object({
    type: Type.Enum(['member', 'token'] as const),
    id: Type.String({ maxLength: 64 }),
    /** Name at that time. */
    name: Type.String({ maxLength: ACCOUNT_LIMITS.name }),
  }),
  note: Type.String({ maxLength: DIFFERENCE_LIMITS.note }),
});

/** An amount at the processor in minor units. */
function reportedAmount(description: string) {
  return Nullable(Type.Integer({ minimum: 0 }), description);
}

/**
 * A payment whose processor reports something else: money may have moved for a payment that failed or was canceled, or not all of it
 * for one that succeeded; or the processor reports the end of an open payment with an amount that is not the payment's. The payment
 * itself keeps its status.
 */
export const PaymentDifference = Type.Object({
  payment_id: Id('payment'),
  application_id: Id('application'),
  processor: Type.String(),
  amount: Payment.properties.amount,
  currency: Payment.properties.currency,
  status: Type.Enum(PAYMENT_STATUSES),
  /** When the payment reached its status. */
  ended_at: Time,
  /** Null when the processor does not know the payment; with an error, when it did not respond. */
  processor_status: Nullable(Type.Enum(PROCESSOR_STATUSES)),
  processor_amount: reportedAmount('Money that has moved at the processor; null if it reported none'),
  processor_currency: Nullable(Type.String({ maxLength: 3 }), 'Currency of the amounts at the processor'),
  refunded_amount: reportedAmount('How much of that was refunded; null if the adapter does not report it'),
  disputed_amount: reportedAmount('How much of that is disputed; null if the adapter does not report it'),
  error: Nullable(CallError, 'Why the processor did not respond'),
  /** When the processor was last asked. Tollgate asks again until the difference is gone or resolved. */
  asked_at: Time,
  resolution: Nullable(Resolution),
});
export type PaymentDifference = Static<typeof PaymentDifference>;

/** One day's comparison of a team's payments with their processor. A payment counts on the day on which it ended. */
export const Comparison = Type.Object({
  /** In UTC, such as `2026-03-31`. */
  day: Type.String({ maxLength: 10 }),
  started_at: Time,
  completed_at: Nullable(Time, 'Null while the comparison runs'),
  /** Payments of the team that the processor was asked about so far. */
  compared_payments: Type.Integer({ minimum: 0 }),
});
export type Comparison = Static<typeof Comparison>;
