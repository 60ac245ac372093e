import type { EndpointQueue } from './endpoint-queue.ts';

export interface SlotLimits {
  /** Attempts in flight in this instance. */
  total: number;
  /** Attempts in flight to all endpoints together that are slow or untried. */
  notFast: number;
}

/** The share of the slots for all endpoints together that are slow or untried. */
const NOT_FAST_SHARE = 0.25;

export function slotLimits(total: number): SlotLimits {
  return { total, notFast: Math.max(1, Math.floor(total * NOT_FAST_SHARE)) };
}

/** Divides the slots of this instance among the endpoints. Pure bookkeeping, without I/O. */
export interface SlotScheduler {
  /** Puts the endpoint at the end of the line, unless it is in the line. */
  enqueue(queue: EndpointQueue): void;
  /** Removes the first endpoint in the line that may have a slot. It occupies the slot until `done`. Null when none may. */
  next(): EndpointQueue | null;
  done(queue: EndpointQueue): void;
  inFlight(): number;
  /** Whether the endpoint occupies no slot and is not in the line. */
  isIdle(queue: EndpointQueue): boolean;
  /** Returns a function that tells, for one delivery after the other, whether it would get a slot immediately. */
  foresee(): (queue: EndpointQueue) => boolean;
}

/**
 * Round robin: an endpoint gets a slot for one delivery, then lines up again. An untried endpoint gets one slot and counts as not
 * fast, so any number of new and dead endpoints together cannot take more than their share.
 */
export function createSlotScheduler(limits: SlotLimits, now: () => number): SlotScheduler {
  const line = new Set<EndpointQueue>();
  const occupying = new Set<EndpointQueue>();
  let total = 0;

  function mayStart(queue: EndpointQueue, inFlight: number, notFast: () => number): boolean {
    if (inFlight >= queue.concurrencyLimit()) return false;
    return queue.isFast(now()) || notFast() < limits.notFast;
  }

  function countNotFast(): number {
    let count = 0;
    for (const queue of occupying) if (!queue.isFast(now())) count += queue.inFlight;
    return count;
  }

  return {
    enqueue(queue) {
      line.add(queue);
    },

    next() {
      if (total >= limits.total) return null;
      let counted: number | undefined;
      const notFast = () => {
        counted ??= countNotFast();
        return counted;
      };
      for (const queue of line) {
        if (!mayStart(queue, queue.inFlight, notFast)) continue;
        line.delete(queue);
        queue.occupySlot();
        occupying.add(queue);
        total += 1;
        return queue;
      }
      return null;
    },

    done(queue) {
      queue.freeSlot();
      if (queue.inFlight === 0) occupying.delete(queue);
      total -= 1;
    },

    inFlight: () => total,
    isIdle: (queue) => queue.inFlight === 0 && !line.has(queue),

    foresee() {
      const foreseen = new Map<EndpointQueue, number>();
      let free = limits.total - total;
      let notFast = countNotFast();
      return (queue) => {
        const own = foreseen.get(queue) ?? 0;
        if (free <= 0 || line.has(queue) || !mayStart(queue, queue.inFlight + own, () => notFast))
          return false;
        foreseen.set(queue, own + 1);
        free -= 1;
        if (!queue.isFast(now())) notFast += 1;
        return true;
      };
    },
  };
}
