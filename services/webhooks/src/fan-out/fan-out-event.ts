import type { PaymentEvent } from '@tollgate/contracts/events';
import type { Clock } from '@tollgate/service-kit/clock';
import { newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { Announce } from '../live/announce-changes.ts';
import type { EventStore } from './event-store.ts';
import { storedEvent } from './webhook-body.ts';

export interface FanOut {
  events: EventStore;
  endpoints: Pick<EndpointStore, 'listSubscribed'>;
  deliveries: Pick<DeliveryStore, 'insertMissing'>;
  dispatcher: { expect(endpointId: string): void };
  /** Takes the body of a new event, so that sending need not read it. */
  bodies: { put(eventId: string, body: string): void };
  marks: { add(eventId: string): void };
  announce: Pick<Announce, 'delivery'>;
  clock: Clock;
}

/**
 * Owes the event to every endpoint that wants it. It may be repeated, at any point and at the same time: the event is stored once, and there is one delivery for each
 * endpoint. Once all were stored, a repetition adds none for endpoints that subscribed since.
 */
export async function fanOutEvent(fanOut: FanOut, received: PaymentEvent): Promise<void> {
  const { events, endpoints, deliveries, dispatcher, bodies, marks, announce, clock } = fanOut;
  const now = new Date(clock.now());
  const event = storedEvent(received);
  const { isNew, isFannedOut } = await events.insertOnce(event, now);
  if (isFannedOut) return;
  // Of one that was there already, the stored body is what counts.
  if (isNew) bodies.put(event.id, event.body);
  const subscribed = await endpoints.listSubscribed(event);
  const inserted = await deliveries.insertMissing(
    subscribed.map((endpoint) => newDelivery(event, endpoint, now)),
  );
  inserted.forEach(announce.delivery);
  for (const endpoint of subscribed) if (endpoint.disabled === null) dispatcher.expect(endpoint.id);
  marks.add(event.id);
}
