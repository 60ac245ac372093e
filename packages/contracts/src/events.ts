import Type, { type Static } from 'typebox';
import { EnvironmentSchema } from './environment.ts';
import { Id } from './ids.ts';
import { Payment } from './payment.ts';
import { Time } from './time.ts';

export const PAYMENT_EVENT_TYPES = [
  'payment.created',
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];

/** A fact about a payment. `data` is the payment as it was after that change; consumers order by `data.version`, not by arrival. */
export const PaymentEvent = Type.Object(
  {
    id: Id('event'),
    type: Type.Enum(PAYMENT_EVENT_TYPES),
    occurred_at: Time,
    team_id: Id('team'),
    application_id: Id('application'),
    environment: EnvironmentSchema,
    data: Payment,
  },
  // Changes are additive: a consumer takes fields that it does not know.
  { additionalProperties: true },
);
export type PaymentEvent = Static<typeof PaymentEvent>;
