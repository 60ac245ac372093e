import type { Delivery } from '../deliveries/delivery.ts';
import type { EventStore } from '../fan-out/event-store.ts';

/** Bodies are below 64 KiB, so all of them below 16 MiB. */
const MAX_BODIES = 250;

/** The exact bytes of events, read once for the several endpoints and attempts that follow each other. */
export interface BodyCache {
  /** Throws when the event is not stored. */
  get(delivery: Pick<Delivery, 'teamId' | 'eventId'>): Promise<Buffer>;
  /** The body as it was just stored. */
  put(eventId: string, body: string): void;
}

export function createBodyCache(events: Pick<EventStore, 'find'>): BodyCache {
  const bodies = new Map<string, Buffer>();

  function remember(eventId: string, text: string): Buffer {
    const body = Buffer.from(text, 'utf8');
    bodies.set(eventId, body);
    if (bodies.size > MAX_BODIES) bodies.delete(bodies.keys().next().value as string);
    return body;
  }

  return {
    async get({ teamId, eventId }) {
      const known = bodies.get(eventId);
      if (known) return known;
      const event = await events.find(teamId, eventId);
      if (!event) throw new Error(`The event ${eventId} is not stored, so its delivery has nothing to send.`);
      return remember(eventId, event.body);
    },
    put: remember,
  };
}
