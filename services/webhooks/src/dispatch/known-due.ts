import type { Delivery } from '../deliveries/delivery.ts';

/** Deliveries of one endpoint that are kept in memory; those behind them are read when it is their turn. */
const MAX_KNOWN = 25;

/**
 * Deliveries that are to be sent, by endpoint: those that were claimed when they were new, then those that are due, oldest first. What is known to be due
 * can be outdated; a claim finds out.
 */
export interface KnownDue {
  /** It was just stored and is due. */
  add(delivery: Delivery): void;
  /** It was just stored and is claimed by this instance. */
  addClaimed(delivery: Delivery): void;
  /** Any number may be due for this endpoint: `next` reads them. */
  lookFor(endpointId: string): void;
  /** Takes out the next one. Null when nothing is due. */
  next(endpointId: string): Promise<Delivery | null>;
  /** Whether another `next` is worth it. */
  mayHaveMore(endpointId: string): boolean;
  forget(endpointId: string): void;
}

interface Queue {
  claimed: Delivery[];
  due: Delivery[];
  /** Nothing is due besides them. */
  isComplete: boolean;
  reading: Promise<void> | null;
}

/** @param read those of an endpoint that are due for longest, at most `limit` */
export function createKnownDue(read: (endpointId: string, limit: number) => Promise<Delivery[]>): KnownDue {
  const queues = new Map<string, Queue>();

  function queueOf(endpointId: string): Queue {
    const queue = queues.get(endpointId) ?? { claimed: [], due: [], isComplete: true, reading: null };
    queues.set(endpointId, queue);
    return queue;
  }

  async function refill(endpointId: string, queue: Queue): Promise<void> {
    // Set before, so that what is added meanwhile, and may not be in the answer, is looked for afterwards.
    queue.isComplete = true;
    try {
      const found = await read(endpointId, MAX_KNOWN);
      queue.due = found;
      if (found.length === MAX_KNOWN) queue.isComplete = false;
    } catch (error) {
      queue.isComplete = false;
      throw error;
    }
  }

  async function readIfEmpty(endpointId: string, queue: Queue): Promise<void> {
    while (queue.due.length === 0 && (queue.reading !== null || !queue.isComplete)) {
      queue.reading ??= refill(endpointId, queue).finally(() => {
        queue.reading = null;
      });
      await queue.reading;
    }
  }

  return {
    add(delivery) {
      const queue = queueOf(delivery.endpointId);
      if (queue.isComplete && queue.reading === null && queue.due.length < MAX_KNOWN)
        queue.due.push(delivery);
      else queue.isComplete = false;
    },

    addClaimed(delivery) {
      queueOf(delivery.endpointId).claimed.push(delivery);
    },

    lookFor(endpointId) {
      const queue = queueOf(endpointId);
      queue.due = [];
      queue.isComplete = false;
    },

    async next(endpointId) {
      const queue = queues.get(endpointId);
      if (!queue) return null;
      if (queue.claimed.length === 0) await readIfEmpty(endpointId, queue);
      const delivery = queue.claimed.shift() ?? queue.due.shift() ?? null;
      if (isEmpty(queue) && queues.get(endpointId) === queue) queues.delete(endpointId);
      return delivery;
    },

    mayHaveMore(endpointId) {
      const queue = queues.get(endpointId);
      return queue !== undefined && !isEmpty(queue);
    },

    forget(endpointId) {
      queues.delete(endpointId);
    },
  };
}

function isEmpty({ claimed, due, isComplete, reading }: Queue): boolean {
  return claimed.length === 0 && due.length === 0 && isComplete && reading === null;
}
