import type { PaymentEventType } from '@tollgate/contracts/payments/events';

/** A change to the team's data, as the ids of what it concerns. Pages reload the data themselves. */
export interface LiveChange {
  /** The endpoint itself changed, or many of its deliveries at once; or one payment or one delivery changed. */
  about: 'payment' | 'delivery' | 'endpoint';
  applicationId: string;
  endpointId?: string;
  deliveryId?: string;
  eventId?: string;
  paymentId?: string;
}

/** What each event of the stream is about, by event name. */
export const STREAM_EVENTS = {
  'payment.created': 'payment',
  'payment.processing': 'payment',
  'payment.succeeded': 'payment',
  'payment.failed': 'payment',
  'payment.canceled': 'payment',
  'payment.action_required': 'payment',
  'payment.cancellation_requested': 'payment',
  'payment.erased': 'payment',
  delivery: 'delivery',
  webhook_endpoint: 'endpoint',
} as const satisfies Record<PaymentEventType | 'delivery' | 'webhook_endpoint', LiveChange['about']>;

/** Parses the data of a server-sent event; null for one that this page does not know. */
export function readChange(about: LiveChange['about'], data: string): LiveChange | null {
  try {
    const { id, application_id, delivery_id, endpoint_id, event_id, payment_id, payment } = JSON.parse(data);
    const changed = { payment: payment?.id, delivery: delivery_id, endpoint: endpoint_id }[about];
    if (typeof changed !== 'string') return null;
    return {
      about,
      applicationId: application_id,
      endpointId: endpoint_id,
      deliveryId: delivery_id,
      eventId: about === 'payment' ? id : event_id,
      paymentId: payment_id ?? payment?.id,
    };
  } catch {
    return null;
  }
}
