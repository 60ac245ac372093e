import Type, { type Static } from 'typebox';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { Signature } from '../platform/signature.ts';
import { Payment } from './payment.ts';

export const PAYMENT_EVENT_TYPES = [
  'payment.created',
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
  'payment.action_required',
  'payment.cancellation_requested',
  'payment.erased',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];

export const PaymentCause = Type.Object({
  type: Type.Enum(['key', 'member', 'token', 'processor', 'expiry', 'retention'] as const),
  /** Id of the key, member, or token, or name of the processor; null for expiry and retention. */
  id: Nullable(Type.String()),
  /** IP address of the client of a key, or of the member or token; null for all others. */
  address: Nullable(Type.String()),
});
export type PaymentCause = Static<typeof PaymentCause>;

/** A change of a payment. `data` is the payment after the change; consumers order by `data.version`, not by arrival. */
export const PaymentEvent = Type.Object(
  {
    id: Id('event'),
    type: Type.Enum(PAYMENT_EVENT_TYPES),
    occurred_at: Time,
    team_id: Id('team'),
    application_id: Id('application'),
    environment: EnvironmentSchema,
    cause: PaymentCause,
    request_id: Nullable(Type.String()),
    data: Payment,
    /** Signature of the payments service. Absent until it publishes the event. */
    signature: Type.Optional(Signature),
  },
  // Changes are additive: consumers accept unknown fields.
  { additionalProperties: true },
);
export type PaymentEvent = Static<typeof PaymentEvent>;
