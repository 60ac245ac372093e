import { NextAction, Party, PROCESSOR_STATUSES } from '@tollgate/contracts/payments/payment';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { Id, Nullable, TimeOf } from '@tollgate/contracts/platform/schema';
import Type, { type Static } from 'typebox';

export const ADAPTER_LIMITS = {
  /** Bytes of a request to an adapter, of its response, and of a callback. The largest payment has about 130 KiB. */
  bodyBytes: 256 * 1024,
  reference: 255,
  failureMessage: 255,
  /** Seconds between the time of a signature and its verification. */
  signatureAgeS: 300,
} as const;

/** Value of the query parameter `ask` of a status call: the processor is asked again about a payment that has ended. */
export const ASK_PROCESSOR = 'processor';

/** The payment as its adapter receives it. Unknown fields must be ignored. */
export const ProcessorPayment = Type.Object({
  id: Id('payment', 'Payment id. It is the idempotency key of the payment.'),
  application_id: Id('application', 'Application that created the payment'),
  environment: Type.Enum(ENVIRONMENTS, { description: 'Environment of the payment' }),
  amount: Type.Integer({ minimum: MIN_AMOUNT, maximum: MAX_AMOUNT, description: 'Amount in minor units' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 currency code' }),
  purpose: Nullable(Type.String(), 'Purpose of the payment'),
  reference: Nullable(Type.String(), "The caller's own reference"),
  payer: Nullable(Party, 'The paying party'),
  payee: Nullable(Party, 'The receiving party'),
  payment_method: Nullable(Type.String(), 'Opaque token of the processor; null to let the payer choose'),
  metadata: Nullable(Type.Record(Type.String(), Type.String()), "The caller's own key-value pairs"),
  return_url: Nullable(Type.String(), 'Where the payer returns to after an action'),
  created_at: TimeOf('Time of creation'),
  expires_at: TimeOf('When Tollgate cancels the payment if it is still pending'),
});
export type ProcessorPayment = Static<typeof ProcessorPayment>;

export const ProcessorFailure = Type.Object({
  code: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'Machine-readable code' }),
  message: Type.String({
    minLength: 1,
    maxLength: ADAPTER_LIMITS.failureMessage,
    description: 'Human-readable message, which callers may show to the payer',
  }),
});
export type ProcessorFailure = Static<typeof ProcessorFailure>;

/** An amount at the processor can be zero, and larger than any payment of Tollgate. */
const AmountAtProcessor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A payment's state at the processor: the response to every call, and the content of a callback. */
export const PaymentState = Type.Object({
  status: Type.Enum(PROCESSOR_STATUSES, { description: 'Status at the processor' }),
  reference: Nullable(
    Type.String({ minLength: 1, maxLength: ADAPTER_LIMITS.reference }),
    "The processor's own id of the payment; null if the processor has none",
  ),
  next_action: Type.Optional(Nullable(NextAction, 'Required with the status `action_required`')),
  failure: Type.Optional(Nullable(ProcessorFailure, 'Required with the status `failed`')),
  amount: Type.Optional(
    Nullable(AmountAtProcessor, 'Money that has moved, in minor units. Required with the status `succeeded`'),
  ),
  currency: Type.Optional(
    Nullable(
      Type.String({ pattern: '^[A-Z]{3}$' }),
      'ISO 4217 currency code of the amounts. Required with the status `succeeded`',
    ),
  ),
  refunded_amount: Type.Optional(
    Nullable(AmountAtProcessor, 'How much of the money was refunded; null if the adapter does not know'),
  ),
  disputed_amount: Type.Optional(
    Nullable(
      AmountAtProcessor,
      'How much of the money the payer disputes, or has got back by a dispute; null if the adapter does not know',
    ),
  ),
});
export type PaymentState = Static<typeof PaymentState>;

/** Body of a callback to Tollgate. The header `webhook-id` identifies the event. */
export const Callback = Type.Object({
  payment_id: Id('payment', 'Payment that changed'),
  ...PaymentState.properties,
});
export type Callback = Static<typeof Callback>;

/** Body of a 422 response to `POST /payments`: the processor does not accept the payment. */
export const Rejection = Type.Object({ failure: ProcessorFailure });
export type Rejection = Static<typeof Rejection>;
