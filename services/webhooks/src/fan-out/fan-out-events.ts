import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { inBatches } from '@tollgate/store/in-batches';
import { currentTrace, runInTrace } from '@tollgate/tracing/current-trace';
import type { TraceContext } from '@tollgate/tracing/trace-context';
import type { Context } from '../context.ts';
import { newDelivery } from '../deliveries/delivery.ts';
import { eraseWhatEventsSay } from '../erasure/erase-payments.ts';
import { deleteWhatWasReset } from '../sandbox-reset/delete-sandbox-data.ts';
import { type StoredEvent, storedEvent } from './event.ts';

/** Events per write. */
const MAX_BATCH = 256;

/** An event, with the trace of the message that contained it; null if none did. */
interface ReceivedEvent {
  event: PaymentEvent;
  trace: TraceContext | null;
}

/** Fans out one event, batched with concurrent ones. Resolves when all its deliveries are stored. */
export function fanOutInBatches(context: Context): (event: PaymentEvent) => Promise<void> {
  const fanOutBatched = inBatches(async (received: ReceivedEvent[]) => {
    await fanOutEvents(context, received);
    return received.map(() => undefined);
  }, MAX_BATCH);
  return (event) => fanOutBatched({ event, trace: currentTrace() });
}

/**
 * Stores the events and one delivery of each for every subscribed endpoint, with one write of events and one of deliveries. Idempotent,
 * also for concurrent calls. Once all deliveries of an event are stored, a repetition adds none for endpoints that subscribed later.
 *
 * Receivers wait for each round trip: steps that do not depend on each other run at the same time.
 */
async function fanOutEvents(context: Context, received: ReceivedEvent[]): Promise<void> {
  if (received.length === 0) return;
  const { endpoints, resets, erasures, deliveries, dispatcher, fannedOut, announce, clock } = context;
  const now = new Date(clock.now());
  const traces = new Map(received.map(({ event, trace }) => [event.id, trace]));
  const events = received.map(({ event }) => event);
  const [unfinished, subscribedTo, deleted, erased] = await Promise.all([
    storeEvents(
      context,
      events.map((event) => storedEvent(event, now)),
    ),
    endpoints.listSubscribed(events),
    resets.findDeleted(events),
    erasures.findOfPayments(events.map(({ data }) => data.id)),
  ]);
  // Before any of the events can be sent.
  if (erased.length > 0) await eraseWhatEventsSay(context, events);
  const wasReset = new Set(deleted.map(({ id }) => id));
  const pending = unfinished.filter(({ _id }) => !wasReset.has(_id));
  const wanted = pending.flatMap((event) =>
    runInTrace(traces.get(event._id) ?? null, () =>
      subscribedTo(event).map((endpoint) => newDelivery(event, endpoint, now)),
    ),
  );
  const inserted = await deliveries.insertMissing(dispatcher.claimNew(wanted));
  context.metrics.countFannedOut(inserted.length);
  for (const delivery of inserted) {
    announce.delivery(delivery);
    if (delivery.status === 'pending') dispatcher.enqueue(delivery);
  }
  // Again, after the events and their deliveries are stored: an erasure or a reset may have been noted meanwhile.
  await Promise.all([eraseWhatEventsSay(context, events), deleteWhatWasReset(context, events)]);
  for (const { _id } of pending) fannedOut.add(_id);
}

/** Resolves to the events whose deliveries may be missing. */
async function storeEvents(
  { events, bodies }: Pick<Context, 'events' | 'bodies'>,
  all: StoredEvent[],
): Promise<StoredEvent[]> {
  const added = new Set(await events.insertMissing(all));
  // For an event that was stored before, the stored body is sent.
  for (const { _id, body } of added) bodies.put(_id, body);
  const repeated = all.filter((event) => !added.has(event));
  if (repeated.length === 0) return all;
  const fannedOut = await events.findFannedOutOfAllTeams(repeated.map(({ _id }) => _id));
  return all.filter(({ _id }) => !fannedOut.has(_id));
}

/** Fans out the events whose deliveries may be missing. Resolves to their number. */
export async function fanOutMissing(context: Context, events: PaymentEvent[]): Promise<number> {
  const known = await context.events.findFannedOutOfAllTeams(events.map(({ id }) => id));
  const missing = events.filter(({ id }) => !known.has(id));
  await fanOutEvents(
    context,
    missing.map((event) => ({ event, trace: null })),
  );
  return missing.length;
}
