import type { Open } from './open.ts';
import type { Payment } from './payment.ts';

/** The payment after the change, and the application that owns it. */
export interface WebhookPayment extends Payment {
  application_id: string;
}

interface PaymentEvent<Type extends string> {
  /** Id of the event, the same in every attempt to deliver it. Store it to ignore duplicates. */
  id: string;
  type: Type;
  /** Time of the change (RFC 3339). */
  timestamp: string;
  /** The payment after the change. Events can arrive out of order: ignore one whose `version` is not newer. */
  data: WebhookPayment;
}

/** An event of a type that this release knows. */
export type KnownWebhookEvent =
  | PaymentEvent<'payment.created'>
  | PaymentEvent<'payment.processing'>
  | PaymentEvent<'payment.succeeded'>
  | PaymentEvent<'payment.failed'>
  | PaymentEvent<'payment.canceled'>
  | PaymentEvent<'payment.action_required'>
  | PaymentEvent<'payment.cancellation_requested'>
  | PaymentEvent<'payment.erased'>;

/** A verified event. Later releases may add types: ignore those that your application does not handle. */
export type WebhookEvent = KnownWebhookEvent | PaymentEvent<string & {}>;

/** An event that a test signs. */
export interface TestWebhookEvent {
  /** Default: a new id. */
  id?: string | undefined;
  type: Open<KnownWebhookEvent['type']>;
  /** The members of the payment that the receiver reads. */
  data: Partial<WebhookPayment>;
}
