import type { Delivery } from '../deliveries/delivery.ts';

/** Deliveries of one endpoint that are kept in memory; those behind them are read when it is their turn. */
const MAX_KNOWN = 25;

/**
 * Deliveries that are due, by endpoint, oldest first: read or just stored, not claimed. What is known can be outdated; a claim finds out.
 */
export interface KnownDue {
  /** It was just stored. */
  add(delivery: Delivery): void;
  /** Any number may be due for this endpoint: `next` reads them. */
  lookFor(endpointId: string): void;
  /** Takes out the next one. Null when nothing is due. */
  next(endpointId: string): Promise<Delivery | null>;
  /** Whether another `next` is worth it. */
  mayHaveMore(endpointId: string): boolean;
  forget(endpointId: string): void;
}

interface Queue {
  deliveries: Delivery[];
  /** Nothing is due besides them. */
  isComplete: boolean;
  reading: Promise<void> | null;
}

/** @param read those of an endpoint that are due for longest, at most `limit` */
export function createKnownDue(read: (endpointId: string, limit: number) => Promise<Delivery[]>): KnownDue {
  const queues = new Map<string, Queue>();

  function queueOf(endpointId: string): Queue {
    const queue = queues.get(endpointId) ?? { deliveries: [], isComplete: true, reading: null };
    queues.set(endpointId, queue);
    return queue;
  }

  async function refill(endpointId: string, queue: Queue): Promise<void> {
    // Set before, so that what is added meanwhile, and may not be in the answer, is looked for afterwards.
    queue.isComplete = true;
    try {
      const found = await read(endpointId, MAX_KNOWN);
      queue.deliveries = found;
      if (found.length === MAX_KNOWN) queue.isComplete = false;
    } catch (error) {
      queue.isComplete = false;
      throw error;
    }
  }

  return {
    add(delivery) {
      const queue = queueOf(delivery.endpointId);
      if (queue.isComplete && queue.reading === null && queue.deliveries.length < MAX_KNOWN)
        queue.deliveries.push(delivery);
      else queue.isComplete = false;
    },

    lookFor(endpointId) {
      const queue = queueOf(endpointId);
      queue.deliveries = [];
      queue.isComplete = false;
    },

    async next(endpointId) {
      const queue = queues.get(endpointId);
      if (!queue) return null;
      while (queue.deliveries.length === 0 && (queue.reading !== null || !queue.isComplete)) {
        queue.reading ??= refill(endpointId, queue).finally(() => {
          queue.reading = null;
        });
        await queue.reading;
      }
      const delivery = queue.deliveries.shift() ?? null;
      if (queue.deliveries.length === 0 && queue.isComplete && queues.get(endpointId) === queue)
        queues.delete(endpointId);
      return delivery;
    },

    mayHaveMore(endpointId) {
      const queue = queues.get(endpointId);
      return queue !== undefined && (queue.deliveries.length > 0 || !queue.isComplete);
    },

    forget(endpointId) {
      queues.delete(endpointId);
    },
  };
}
