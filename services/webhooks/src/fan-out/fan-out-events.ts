import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Clock } from '@tollgate/runtime/clock';
import { inBatches } from '@tollgate/store/in-batches';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import { type Delivery, newDelivery } from '../deliveries/delivery.ts';
import type { DeliveryStore } from '../deliveries/delivery-store.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { Announce } from '../live/announce-changes.ts';
import type { EventStore, StoredEvent } from './event-store.ts';
import { storedEvent } from './webhook-body.ts';

/** Events per write. */
const MAX_BATCH = 256;

export interface FanOut {
  events: EventStore;
  endpoints: Pick<EndpointStore, 'listSubscribed'>;
  deliveries: Pick<DeliveryStore, 'insertMissing'>;
  dispatcher: { claimNew(deliveries: Delivery[]): Delivery[]; enqueue(delivery: Delivery): void };
  /** Caches the body of a new event for sending. */
  bodies: { put(eventId: string, body: string): void };
  marks: { add(eventId: string): void };
  announce: Pick<Announce, 'delivery'>;
  /** Before any of the events is sent. */
  eraseWhatEventsSay(received: readonly PaymentEvent[]): Promise<void>;
  /** Those of payments that a reset of the sandbox has deleted. */
  findReset(received: readonly PaymentEvent[]): Promise<PaymentEvent[]>;
  /** After the events and their deliveries are stored. */
  deleteWhatWasReset(received: readonly PaymentEvent[]): Promise<void>;
  clock: Clock;
}

/** An event, with the trace of the message that contained it; null if none did. */
interface ReceivedEvent {
  event: PaymentEvent;
  trace: TraceContext | null;
}

/** Fans out one event, batched with concurrent ones. Resolves when all its deliveries are stored. */
export function fanOutInBatches(fanOut: FanOut): (event: PaymentEvent) => Promise<void> {
  const fanOutBatched = inBatches(async (received: ReceivedEvent[]) => {
    await fanOutEvents(fanOut, received);
    return received.map(() => undefined);
  }, MAX_BATCH);
  return (event) => fanOutBatched({ event, trace: currentTrace() });
}

/**
 * Stores the events and one delivery of each for every subscribed endpoint, with one write of events and one of deliveries. Idempotent,
 * also for concurrent calls. Once all deliveries of an event are stored, a repetition adds none for endpoints that subscribed later.
 */
async function fanOutEvents(fanOut: FanOut, arrived: ReceivedEvent[]): Promise<void> {
  const wasReset = new Set(await fanOut.findReset(arrived.map(({ event }) => event)));
  const received = arrived.filter(({ event }) => !wasReset.has(event));
  if (received.length === 0) return;
  const { endpoints, deliveries, dispatcher, marks, announce, clock } = fanOut;
  const now = new Date(clock.now());
  const traces = new Map(received.map(({ event, trace }) => [event.id, trace]));
  const pending = await storeEvents(
    fanOut,
    received.map(({ event }) => storedEvent(event)),
    now,
  );
  await fanOut.eraseWhatEventsSay(received.map(({ event }) => event));
  const subscribed = await endpoints.listSubscribed(pending);
  const wanted = pending.flatMap((event, index) =>
    runInTrace(traces.get(event.id) ?? null, () =>
      (subscribed[index] ?? []).map((endpoint) => newDelivery(event, endpoint, now)),
    ),
  );
  const inserted = await deliveries.insertMissing(dispatcher.claimNew(wanted));
  for (const delivery of inserted) {
    announce.delivery(delivery);
    if (delivery.status === 'pending') dispatcher.enqueue(delivery);
  }
  for (const { id } of pending) marks.add(id);
  await fanOut.deleteWhatWasReset(received.map(({ event }) => event));
}

/** Resolves to the events whose deliveries may be missing. */
async function storeEvents(
  { events, bodies }: Pick<FanOut, 'events' | 'bodies'>,
  all: StoredEvent[],
  now: Date,
): Promise<StoredEvent[]> {
  const added = new Set(await events.insertMissing(all, now));
  // For an event that was stored before, the stored body is sent.
  for (const { id, body } of added) bodies.put(id, body);
  const repeated = all.filter((event) => !added.has(event));
  if (repeated.length === 0) return all;
  const fannedOut = await events.findFannedOutOfAllTeams(repeated.map(({ id }) => id));
  return all.filter(({ id }) => !fannedOut.has(id));
}

/** Fans out the events whose deliveries may be missing. Resolves to their number. */
export async function fanOutMissing(fanOut: FanOut, events: PaymentEvent[]): Promise<number> {
  const known = await fanOut.events.findFannedOutOfAllTeams(events.map(({ id }) => id));
  const missing = events.filter(({ id }) => !known.has(id));
  await fanOutEvents(
    fanOut,
    missing.map((event) => ({ event, trace: null })),
  );
  return missing.length;
}
