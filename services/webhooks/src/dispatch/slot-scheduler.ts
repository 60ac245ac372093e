import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import type { EndpointQueue } from './endpoint-queue.ts';

export interface SlotLimits {
  /** Attempts in flight in this instance. */
  total: number;
  /** Attempts in flight to all endpoints together that are slow or untried, up to the first five of each. */
  notFast: number;
  /** Attempts in flight beyond the first five of each endpoint: the other slots remain for those that have fewer. */
  extra: number;
}

/** The share of the slots for all endpoints together that are slow or untried. */
const NOT_FAST_SHARE = 0.25;
/** The share of the slots for attempts beyond the first five of each endpoint. */
const EXTRA_SHARE = 0.5;

export function slotLimits(total: number): SlotLimits {
  return {
    total,
    notFast: Math.max(1, Math.floor(total * NOT_FAST_SHARE)),
    extra: Math.floor(total * EXTRA_SHARE),
  };
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

/** Slots in use. */
interface Usage {
  ofEndpoint: number;
  extra: number;
  notFast(): number;
}

/**
 * Round robin: an endpoint gets a slot for one delivery, then lines up again. An untried endpoint gets one slot and counts as not
 * fast, so any number of new and dead endpoints together cannot take more than their share.
 */
export function createSlotScheduler(limits: SlotLimits, now: () => number): SlotScheduler {
  const line = new Set<EndpointQueue>();
  const occupying = new Set<EndpointQueue>();
  let total = 0;
  let extra = 0;

  function mayStart(queue: EndpointQueue, used: Usage): boolean {
    if (used.ofEndpoint >= queue.concurrencyLimit(now())) return false;
    if (isExtra(used.ofEndpoint) && used.extra >= limits.extra) return false;
    return queue.isFast(now()) || used.notFast() < limits.notFast;
  }

  function countNotFast(): number {
    let count = 0;
    for (const queue of occupying)
      if (!queue.isFast(now())) count += Math.min(queue.inFlight, BASE_CONCURRENCY);
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
        const { inFlight } = queue;
        if (!mayStart(queue, { ofEndpoint: inFlight, extra, notFast })) continue;
        line.delete(queue);
        queue.occupySlot();
        occupying.add(queue);
        total += 1;
        if (isExtra(inFlight)) extra += 1;
        return queue;
      }
      return null;
    },

    done(queue) {
      queue.freeSlot();
      if (queue.inFlight === 0) occupying.delete(queue);
      total -= 1;
      if (isExtra(queue.inFlight)) extra -= 1;
    },

    inFlight: () => total,
    isIdle: (queue) => queue.inFlight === 0 && !line.has(queue),

    foresee() {
      const foreseen = new Map<EndpointQueue, number>();
      let free = limits.total - total;
      let foreseenExtra = extra;
      let notFast = countNotFast();
      return (queue) => {
        const own = foreseen.get(queue) ?? 0;
        const ofEndpoint = queue.inFlight + own;
        const used = { ofEndpoint, extra: foreseenExtra, notFast: () => notFast };
        if (free <= 0 || line.has(queue) || !mayStart(queue, used)) return false;
        foreseen.set(queue, own + 1);
        free -= 1;
        if (isExtra(ofEndpoint)) foreseenExtra += 1;
        if (!queue.isFast(now())) notFast += 1;
        return true;
      };
    },
  };
}

/** Whether a further slot of an endpoint that occupies this many is an extra one. */
function isExtra(occupied: number): boolean {
  return occupied >= BASE_CONCURRENCY;
}
