import Type, { type Static } from 'typebox';
import { Id } from '../platform/schema.ts';
import { ERASED_FIELDS } from './erased-payment.ts';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from './events.ts';
import { EXAMPLE_PAYMENT_ID } from './example-payment.ts';
import { FAILED_HAS_FAILURE, Payment, type PaymentStatus } from './payment.ts';

/** Payload of a webhook: the payment after the change. Receivers order by `version`, not by arrival. */
const WebhookData = Type.Object(
  { ...Payment.properties, application_id: Id('application', 'ID of the application that owns the payment') },
  { description: 'The payment after this change', ...FAILED_HAS_FAILURE },
);
type WebhookData = Static<typeof WebhookData>;

/** Body of a webhook, in the format that Standard Webhooks recommends. */
export const WebhookBody = Type.Object({
  type: Type.Enum(PAYMENT_EVENT_TYPES),
  timestamp: Type.String({
    format: 'date-time',
    description: 'Time of the event. The webhook-timestamp header holds the time of the attempt.',
  }),
  data: WebhookData,
});
export type WebhookBody = Static<typeof WebhookBody>;

export interface EventTypeDefinition {
  type: PaymentEventType;
  description: string;
  schema: object;
  example: WebhookBody;
}

const CREATED_AT = '2026-01-15T09:30:00.000Z';
const CHANGED_AT = '2026-01-15T09:30:05.000Z';

const EXAMPLE_DATA: WebhookData = {
  id: EXAMPLE_PAYMENT_ID,
  object: 'payment',
  environment: 'sandbox',
  amount: 1250,
  currency: 'EUR',
  purpose: 'Order 1001',
  reference: 'order-1001',
  payer: { name: 'Ada Lovelace', account: null, email: 'ada@example.com' },
  payee: null,
  payment_method: null,
  metadata: { order: '1001' },
  status: 'pending',
  cancelable: true,
  version: 1,
  failure: null,
  cancellation_reason: null,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  succeeded_at: null,
  failed_at: null,
  canceled_at: null,
  return_url: 'https://shop.example/orders/1001',
  next_action: null,
  waiting_for: 'processor',
  processor: 'stripe',
  processor_reference: null,
  expires_at: '2026-01-22T09:30:00.000Z',
  cancellation_requested_at: null,
  erased_at: null,
  application_id: 'app_01kf0fj3s0ec7s9q7v0h5x2m4p',
};

const DESCRIPTIONS: Record<PaymentEventType, string> = {
  'payment.created': 'A payment was created and is pending settlement.',
  'payment.processing': 'A processor started settling the payment. It can no longer be canceled.',
  'payment.succeeded': 'The payment succeeded.',
  'payment.failed': 'The payment failed. The `failure` field holds the reason.',
  'payment.canceled':
    'The application canceled the payment, the payment expired, or the payer left it at the processor.',
  'payment.action_required': 'The payer must act. The `next_action` field says how.',
  'payment.cancellation_requested':
    'A cancellation was requested, and the processor must confirm it. The payment may still succeed.',
  'payment.erased':
    'The personal data of the payment was erased. Erase it in your systems, too. The status is unchanged.',
};

const ACTION: Partial<WebhookData> = {
  next_action: { type: 'redirect', url: 'https://pay.processor.example/c/9f2c41' },
  processor_reference: 'cs_9f2c41',
};

const CHANGES: Record<PaymentEventType, Partial<WebhookData>> = {
  'payment.created': {},
  'payment.action_required': { version: 2, ...ACTION },
  'payment.cancellation_requested': { version: 3, ...ACTION, cancellation_requested_at: CHANGED_AT },
  'payment.processing': { version: 2 },
  'payment.succeeded': { version: 3, succeeded_at: CHANGED_AT },
  'payment.failed': {
    version: 3,
    failed_at: CHANGED_AT,
    failure: { code: 'declined', message: 'The payment was declined.' },
  },
  'payment.canceled': { version: 2, canceled_at: CHANGED_AT, cancellation_reason: 'requested_by_customer' },
  'payment.erased': { ...ERASED_FIELDS, version: 4, succeeded_at: CHANGED_AT, erased_at: CHANGED_AT },
};

const STATUSES: Record<PaymentEventType, PaymentStatus> = {
  'payment.created': 'pending',
  'payment.action_required': 'pending',
  'payment.cancellation_requested': 'pending',
  'payment.processing': 'processing',
  'payment.succeeded': 'succeeded',
  'payment.failed': 'failed',
  'payment.canceled': 'canceled',
  'payment.erased': 'succeeded',
};

/** The catalogue: every event type with the schema of its body and a valid example. */
export const EVENT_TYPES: readonly EventTypeDefinition[] = PAYMENT_EVENT_TYPES.map((type) => {
  const isFirst = type === 'payment.created';
  const timestamp = isFirst ? CREATED_AT : CHANGED_AT;
  const status = STATUSES[type];
  return {
    type,
    description: DESCRIPTIONS[type],
    schema: Type.Object(
      { ...WebhookBody.properties, type: Type.Literal(type, { description: 'What happened' }) },
      { title: type },
    ),
    example: {
      type,
      timestamp,
      data: {
        ...EXAMPLE_DATA,
        status,
        cancelable: status === 'pending',
        updated_at: timestamp,
        ...CHANGES[type],
      },
    },
  };
});
