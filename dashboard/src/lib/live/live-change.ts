import { type PaymentChange, readPaymentChange } from './payment-change.ts';
import {
  type DeliveryChange,
  type EndpointChange,
  readDeliveryChange,
  readEndpointChange,
} from './webhook-change.ts';

/** A change to the team's data. */
export type LiveChange = PaymentChange | DeliveryChange | EndpointChange;

/** The parser of each event of the stream, by event name. */
export const CHANGE_READERS = {
  'payment.created': readPaymentChange,
  'payment.processing': readPaymentChange,
  'payment.succeeded': readPaymentChange,
  'payment.failed': readPaymentChange,
  'payment.canceled': readPaymentChange,
  'payment.action_required': readPaymentChange,
  'payment.cancellation_requested': readPaymentChange,
  'payment.erased': readPaymentChange,
  delivery: readDeliveryChange,
  webhook_endpoint: readEndpointChange,
} satisfies Record<
  PaymentChange['type'] | 'delivery' | 'webhook_endpoint',
  (data: string) => LiveChange | null
>;
