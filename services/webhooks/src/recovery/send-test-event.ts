import type { Actor } from '@tollgate/contracts/accounts/actor';
import { EVENT_TYPES, type WebhookBody } from '@tollgate/contracts/payments/event-types';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Context } from '../context.ts';
import { type Delivery, newDelivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { sendNow } from '../endpoints/send-now.ts';
import type { StoredEvent } from '../fan-out/event-store.ts';
import { prepareRecovery } from './prepare-recovery.ts';

/** Sends the example of an event type to this endpoint only. Throws what `prepareRecovery` throws. */
export async function sendTestEvent(
  context: Context,
  actor: Actor,
  { endpointId, eventType }: { endpointId: string; eventType: PaymentEventType },
): Promise<Delivery> {
  const endpoint = await prepareRecovery(context, actor, endpointId, {
    action: 'webhook_endpoint.tested',
    what: 'send test events',
    parameters: { event_type: eventType },
  });
  const now = new Date(context.clock.now());
  const event = testEvent(endpoint, eventType, now);
  await context.events.insertMissing([event], now);
  const delivery = newDelivery(event, endpoint, now);
  await context.deliveries.insertMissing([delivery]);
  context.announce.delivery(delivery);
  await sendNow(context, endpoint);
  return delivery;
}

function testEvent(endpoint: Endpoint, type: PaymentEventType, now: Date): StoredEvent {
  const definition = EVENT_TYPES.find((candidate) => candidate.type === type);
  if (!definition) throw new Error(`Unknown event type ${type}.`);
  const { teamId, applicationId, environment } = endpoint;
  const { data } = definition.example;
  const timestamp = now.toISOString();
  const body: WebhookBody = {
    type,
    timestamp,
    data: { ...data, environment, application_id: applicationId, updated_at: timestamp },
  };
  return {
    id: newId('event'),
    teamId,
    applicationId,
    environment,
    type,
    paymentId: data.id,
    paymentVersion: data.version,
    isTest: true,
    occurredAt: now,
    body: JSON.stringify(body),
  };
}
