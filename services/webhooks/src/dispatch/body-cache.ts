import { type Clock, isYoungerThan } from '@tollgate/runtime/clock';
import type { Delivery } from '../deliveries/delivery.ts';
import type { EventStore } from '../fan-out/event-store.ts';

/** About 6,000 typical events. They use up to three times as much memory, because small buffers share larger ones. */
const MAX_BYTES = 4 * 2 ** 20;
/** Maximum age of a cached body: another instance may erase personal data in the stored one. */
const MAX_AGE_MS = 5_000;

/** A bounded cache of the exact bytes of events, for attempts that follow each other. */
export function createBodyCache(events: Pick<EventStore, 'find'>, clock: Clock) {
  const bodies = new Map<string, { body: Buffer; readAt: number }>();
  let bytes = 0;

  function store(eventId: string, text: string): Buffer {
    const body = Buffer.from(text, 'utf8');
    evict(eventId);
    bodies.set(eventId, { body, readAt: clock.now() });
    bytes += body.length;
    while (bytes > MAX_BYTES) evict(bodies.keys().next().value as string);
    return body;
  }

  function evict(eventId: string): void {
    bytes -= bodies.get(eventId)?.body.length ?? 0;
    bodies.delete(eventId);
  }

  return {
    /** Null when the event is no longer stored. */
    async get({ team_id, event_id }: Pick<Delivery, 'team_id' | 'event_id'>): Promise<Buffer | null> {
      const known = bodies.get(event_id);
      if (known && isYoungerThan(clock, known.readAt, MAX_AGE_MS)) return known.body;
      const event = await events.find(team_id, event_id);
      return event && store(event_id, event.body);
    },

    /** Adds the body of an event that was just stored. */
    put: store,
    /** Forgets a body that has changed. */
    drop: evict,
  };
}
