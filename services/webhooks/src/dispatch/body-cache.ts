import type { Delivery } from '../deliveries/delivery.ts';
import type { EventStore } from '../fan-out/event-store.ts';

/** Some six thousand events of the usual size; in memory it is up to three times as much, because small buffers share larger ones. */
const MAX_BYTES = 4 * 2 ** 20;

/** The exact bytes of events, read once for the several endpoints and attempts that follow each other. */
export interface BodyCache {
  /** Null when the event is not stored any more. */
  get(delivery: Pick<Delivery, 'teamId' | 'eventId'>): Promise<Buffer | null>;
  /** The body as it was just stored. */
  put(eventId: string, body: string): void;
}

export function createBodyCache(events: Pick<EventStore, 'find'>): BodyCache {
  const bodies = new Map<string, Buffer>();
  let bytes = 0;

  function remember(eventId: string, text: string): Buffer {
    const body = Buffer.from(text, 'utf8');
    forget(eventId);
    bodies.set(eventId, body);
    bytes += body.length;
    while (bytes > MAX_BYTES) forget(bodies.keys().next().value as string);
    return body;
  }

  function forget(eventId: string): void {
    bytes -= bodies.get(eventId)?.length ?? 0;
    bodies.delete(eventId);
  }

  return {
    async get({ teamId, eventId }) {
      const known = bodies.get(eventId);
      if (known) return known;
      const event = await events.find(teamId, eventId);
      return event && remember(eventId, event.body);
    },

    put: remember,
  };
}
