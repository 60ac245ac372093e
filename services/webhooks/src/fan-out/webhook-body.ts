import type { WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { StoredEvent } from './event-store.ts';

/** The event with the body that is signed and sent. It is serialized once, and every attempt sends the stored bytes. */
export function storedEvent(event: PaymentEvent): StoredEvent {
  const body: WebhookBody = {
    type: event.type,
    timestamp: event.occurred_at,
    data: { ...event.data, application_id: event.application_id },
  };
  return {
    id: event.id,
    teamId: event.team_id,
    applicationId: event.application_id,
    environment: event.environment,
    type: event.type,
    paymentId: event.data.id,
    paymentVersion: event.data.version,
    isTest: false,
    occurredAt: new Date(event.occurred_at),
    body: JSON.stringify(body),
  };
}
