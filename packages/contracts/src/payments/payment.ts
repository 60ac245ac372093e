import Type, { type Static } from 'typebox';
import { ENVIRONMENTS } from '../platform/environment.ts';
import { MAX_AMOUNT, MIN_AMOUNT } from '../platform/money.ts';
import { PLAIN_TEXT_FORMATS, PlainText, PlainTextLines } from '../platform/plain-text.ts';
import { ClosedObject, Id, MapOf, Nullable, TextOfPattern, Time, TimeOf } from '../platform/schema.ts';

export const PAYMENT_STATUSES = ['pending', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Statuses that processors report. The last three are final. */
export const PROCESSOR_STATUSES = [
  'action_required',
  'processing',
  'succeeded',
  'failed',
  'canceled',
] as const;

export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number];

/** Reasons that a caller may give. Only the platform sets `expired`, when a payment was not settled in time. */
export const CALLER_CANCELLATION_REASONS = [
  'duplicate',
  'fraudulent',
  'requested_by_customer',
  'abandoned',
] as const;
export const CANCELLATION_REASONS = [...CALLER_CANCELLATION_REASONS, 'expired'] as const;
export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

export const WAITING_FOR = ['payer', 'processor', 'member'] as const;
export type WaitingFor = (typeof WAITING_FOR)[number];

export const PAYMENT_LIMITS = {
  purpose: 255,
  reference: 255,
  partyName: 140,
  partyAccount: 64,
  partyEmail: 254,
  paymentMethod: 255,
  metadataPairs: 50,
  metadataKey: 40,
  metadataValue: 500,
  returnUrl: 2048,
  actionUrl: 2048,
} as const;

function optionalText(maxLength: number, description: string) {
  return Type.Optional(Nullable(PlainText({ minLength: 1, maxLength, description })));
}

/** RFC 5321 §4.5.3.1 limits the length. The pattern only requires one `@` between two non-empty parts without spaces. */
const Email = TextOfPattern(
  '^[^\\s@]+@[^\\s@]+$',
  'This must be an email address, such as ada@example.com.',
  {
    minLength: 3,
    maxLength: PAYMENT_LIMITS.partyEmail,
    format: PLAIN_TEXT_FORMATS.line,
    description: 'Email address',
  },
);

export const CurrencyInput = TextOfPattern(
  '^[A-Za-z]{3}$',
  'This must be a currency code of three letters, such as EUR.',
  { description: 'ISO 4217 currency code, in any case' },
);

/** The scheme of a URL, in any case (RFC 3986 §3.1). What accepts the URL stores its normal form. */
const HTTP_URL = '^[Hh][Tt][Tt][Pp][Ss]?://';

/**
 * An https URL without a user name, or an http URL on this machine, which only the sandbox accepts. The authority ends at
 * a slash, a backslash, a query, or a fragment (URL standard).
 */
const RETURN_URL = String.raw`^(?:[Hh][Tt][Tt][Pp][Ss]://[^/?#\\@]+|[Hh][Tt][Tt][Pp]://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?)(?:[/?#\\]|$)`;

/** What rejects any other return URL. */
export const RETURN_URL_SENTENCE =
  'This must be an https URL without a user name. In the sandbox, it may also be an http URL on localhost.';

/** A payer or payee in a request. */
export const PartyInput = ClosedObject({
  name: optionalText(PAYMENT_LIMITS.partyName, 'Name of the person or company'),
  account: optionalText(PAYMENT_LIMITS.partyAccount, 'Account identifier, for example an IBAN'),
  email: Type.Optional(Nullable(Email)),
});

/** A payer or payee in a response. */
export const Party = ClosedObject({
  name: Nullable(Type.String(), 'Name of the person or company'),
  account: Nullable(Type.String(), 'Account identifier, for example an IBAN'),
  email: Nullable(Type.String(), 'Email address'),
});

const Metadata = MapOf(
  Type.String({ minLength: 1, maxLength: PAYMENT_LIMITS.metadataKey }),
  PlainTextLines({ maxLength: PAYMENT_LIMITS.metadataValue }),
  { maxProperties: PAYMENT_LIMITS.metadataPairs },
);

const Amount = Type.Integer({
  minimum: MIN_AMOUNT,
  maximum: MAX_AMOUNT,
  description: 'Amount in minor units',
});

/**
 * Body of `POST /v1/payments`. Payments checks the amount range, the currency, and card numbers separately, because they
 * have their own error codes.
 */
export const CreatePaymentBody = ClosedObject({
  amount: Amount,
  currency: CurrencyInput,
  purpose: optionalText(PAYMENT_LIMITS.purpose, 'Purpose of the payment'),
  reference: optionalText(PAYMENT_LIMITS.reference, "The caller's own reference, searchable"),
  payer: Type.Optional(Nullable(PartyInput, 'The paying party')),
  payee: Type.Optional(Nullable(PartyInput, 'The receiving party')),
  payment_method: optionalText(PAYMENT_LIMITS.paymentMethod, 'Opaque token of the processor'),
  return_url: Type.Optional(
    Nullable(
      TextOfPattern(RETURN_URL, RETURN_URL_SENTENCE, { maxLength: PAYMENT_LIMITS.returnUrl }),
      'Where the payer returns to after an action: https, or in the sandbox also http on localhost',
    ),
  ),
  metadata: Type.Optional(
    Nullable(
      Metadata,
      `The caller's own key-value pairs; keys have 1 to ${PAYMENT_LIMITS.metadataKey} characters`,
    ),
  ),
});
export type CreatePaymentBody = Static<typeof CreatePaymentBody>;

/** Body of `POST /v1/payments/{payment_id}/cancel`. A missing body counts as `{}`. */
export const CancelPaymentBody = ClosedObject({
  cancellation_reason: Type.Optional(
    Nullable(Type.Enum(CALLER_CANCELLATION_REASONS), 'Reason of the cancellation'),
  ),
});
export type CancelPaymentBody = Static<typeof CancelPaymentBody>;

export const PaymentFailure = ClosedObject({
  code: Type.String({ description: 'Machine-readable code' }),
  message: Type.String({ description: 'Human-readable message' }),
});

export const NextAction = ClosedObject({
  type: Type.Enum(['redirect'] as const, { description: '`redirect`: send the payer to the URL' }),
  url: Type.String({
    pattern: HTTP_URL,
    maxLength: PAYMENT_LIMITS.actionUrl,
    description: 'Page of the processor',
  }),
});
export type NextAction = Static<typeof NextAction>;

/** A payment has a failure exactly when its status is `failed`. A rule of the writer: readers accept new statuses. */
export const FAILED_HAS_FAILURE = {
  if: withField('status', { type: 'string', const: 'failed' }),
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: withField('failure', { type: 'object' }),
  else: withField('failure', { type: 'null' }),
};

/** Redocly reports every other field of an object whose schema does not state that it may have some. */
function withField(name: string, schema: object) {
  return { properties: { [name]: schema }, additionalProperties: true };
}

/** The payment in every response and event. Every field is always present. */
export const Payment = ClosedObject(
  {
    id: Id('payment', 'Payment id, the same in every event of the payment'),
    object: Type.Literal('payment', { description: 'Type of the object' }),
    environment: Type.Enum(ENVIRONMENTS, { description: 'Environment of the payment' }),
    amount: Amount,
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 currency code' }),
    purpose: Nullable(Type.String(), 'Purpose of the payment'),
    reference: Nullable(Type.String(), "The caller's own reference"),
    payer: Nullable(Party, 'The paying party'),
    payee: Nullable(Party, 'The receiving party'),
    payment_method: Nullable(Type.String(), 'Opaque token of the processor'),
    metadata: Nullable(Type.Record(Type.String(), Type.String()), "The caller's own key-value pairs"),
    status: Type.Enum(PAYMENT_STATUSES, {
      description: 'Status; `succeeded`, `failed`, and `canceled` are final',
    }),
    cancelable: Type.Boolean({ description: 'Whether the payment can still be canceled' }),
    version: Type.Integer({ minimum: 1, description: 'Version, incremented by one with every change' }),
    failure: Nullable(PaymentFailure, 'Reason of the failure; null unless the status is `failed`'),
    cancellation_reason: Nullable(Type.Enum(CANCELLATION_REASONS), 'Reason of the cancellation'),
    return_url: Nullable(Type.String(), 'Where the payer returns to after an action'),
    next_action: Nullable(NextAction, 'What the payer must do; null if nothing'),
    waiting_for: Nullable(
      Type.Enum(WAITING_FOR),
      'Who acts next on a `pending` payment: its `processor`, which may still request an action of the payer, the `payer`, whom `next_action` concerns, or a `member` who settles it, so that no action follows. Null in any other status',
    ),
    processor: Type.String({ description: 'Name of the processor' }),
    processor_reference: Nullable(
      Type.String(),
      "The processor's own id of the payment; null until it reports one",
    ),
    expires_at: TimeOf('When the payment is canceled if it is still pending'),
    created_at: TimeOf('Time of creation'),
    updated_at: TimeOf('Time of the last change'),
    succeeded_at: Nullable(Time, 'Time of success'),
    failed_at: Nullable(Time, 'Time of failure'),
    canceled_at: Nullable(Time, 'Time of cancellation'),
    cancellation_requested_at: Nullable(
      Time,
      'Time of a request to cancel that the processor had to confirm; null if there was none',
    ),
    erased_at: Nullable(
      Time,
      'When the personal data was erased; the fields of the caller are null since then. Null if it was not',
    ),
  },
  FAILED_HAS_FAILURE,
);
export type Payment = Static<typeof Payment>;
