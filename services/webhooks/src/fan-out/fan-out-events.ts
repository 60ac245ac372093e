import type { PaymentEvent } from '@tollgate/contracts/events';
import type { Clock } from '@tollgate/runtime/clock';
import { inBatches } from '@tollgate/store/in-batches';
import { type Delivery, newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { Announce } from '../live/announce-changes.ts';
import type { EventStore, StoredEvent } from './event-store.ts';
import { storedEvent } from './webhook-body.ts';

/** Events that one write carries; their deliveries are as many for each endpoint that wants them. */
const MAX_BATCH = 64;

export interface FanOut {
  events: EventStore;
  endpoints: Pick<EndpointStore, 'listSubscribed'>;
  deliveries: Pick<DeliveryStore, 'insertMissing'>;
  dispatcher: { claimNew(deliveries: Delivery[]): Delivery[]; enqueue(delivery: Delivery): void };
  /** Takes the body of a new event, so that sending need not read it. */
  bodies: { put(eventId: string, body: string): void };
  marks: { add(eventId: string): void };
  announce: Pick<Announce, 'delivery'>;
  clock: Clock;
}

/** Fans out single events, together with whatever others come at the same time. Resolves when all deliveries of the event are stored. */
export function fanOutInBatches(fanOut: FanOut): (event: PaymentEvent) => Promise<void> {
  return inBatches(async (events: PaymentEvent[]) => {
    await fanOutEvents(fanOut, events);
    return events.map(() => undefined);
  }, MAX_BATCH);
}

/**
 * Owes each event to every endpoint that wants it, with one write of events and one of deliveries. It may be repeated, at any point and at the same time: an event is
 * stored once, and there is one delivery for each endpoint. Once all of an event were stored, a repetition adds none for endpoints that subscribed since.
 */
async function fanOutEvents(fanOut: FanOut, received: PaymentEvent[]): Promise<void> {
  const { endpoints, deliveries, dispatcher, marks, announce, clock } = fanOut;
  const now = new Date(clock.now());
  const owed = await storeEvents(fanOut, received.map(storedEvent), now);
  const subscribed = await endpoints.listSubscribed(owed);
  const wanted = owed.flatMap((event, index) =>
    (subscribed[index] ?? []).map((endpoint) => newDelivery(event, endpoint, now)),
  );
  const inserted = await deliveries.insertMissing(dispatcher.claimNew(wanted));
  for (const delivery of inserted) {
    announce.delivery(delivery);
    if (delivery.status === 'pending') dispatcher.enqueue(delivery);
  }
  for (const { id } of owed) marks.add(id);
}

/** Resolves to those whose deliveries are not known to be there. */
async function storeEvents(
  { events, bodies }: Pick<FanOut, 'events' | 'bodies'>,
  all: StoredEvent[],
  now: Date,
): Promise<StoredEvent[]> {
  const added = new Set(await events.insertMissing(all, now));
  // Of one that was there already, the stored body is what counts.
  for (const { id, body } of added) bodies.put(id, body);
  const repeated = all.filter((event) => !added.has(event));
  if (repeated.length === 0) return all;
  const fannedOut = await events.findFannedOutOfAllTeams(repeated.map(({ id }) => id));
  return all.filter(({ id }) => !fannedOut.has(id));
}

/** Fans out those of these events that are not known to be; resolves to how many they were. */
export async function fanOutMissing(fanOut: FanOut, events: PaymentEvent[]): Promise<number> {
  const known = await fanOut.events.findFannedOutOfAllTeams(events.map(({ id }) => id));
  const missing = events.filter(({ id }) => !known.has(id));
  await fanOutEvents(fanOut, missing);
  return missing.length;
}
