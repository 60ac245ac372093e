import { BASE_CONCURRENCY } from './concurrency-limit.ts';
import type { EndpointQueue } from './endpoint-queue.ts';

export interface SlotLimits {
  /** Slots of this instance: requests that it sends at a time. */
  total: number;
  /** Slots of all endpoints together that are slow or untried, up to the first five of each. */
  notFast: number;
  /** Slots beyond the first five of each endpoint: the others remain for those that have fewer. */
  extra: number;
  /** Responses that are not recorded yet. */
  unrecorded: number;
  /** New deliveries to fast endpoints that are claimed before they get a slot. */
  claimedAhead: number;
}

/** The share of the slots for all endpoints together that are slow or untried. */
const NOT_FAST_SHARE = 0.25;
/** The share of the slots for attempts beyond the first five of each endpoint. */
const EXTRA_SHARE = 0.5;
/** Per slot. A write records as many responses as arrive during the previous one, which takes longer than a fast response. */
const UNRECORDED_PER_SLOT = 4;
/** Per slot. A fast endpoint gets a slot for them within moments, and a claim by itself would be one more write. */
const CLAIMED_AHEAD_PER_SLOT = 4;

export function slotLimits(total: number): SlotLimits {
  return {
    total,
    notFast: Math.max(1, Math.floor(total * NOT_FAST_SHARE)),
    extra: Math.floor(total * EXTRA_SHARE),
    unrecorded: total * UNRECORDED_PER_SLOT,
    claimedAhead: total * CLAIMED_AHEAD_PER_SLOT,
  };
}

export type SlotScheduler = ReturnType<typeof createSlotScheduler>;

/** What is in use. */
interface Usage {
  /** Attempts to the endpoint that are in flight. */
  inFlight: number;
  /** Slots of the endpoint. */
  slots: number;
  extra: number;
  notFast(): number;
}

/**
 * Divides the slots of this instance among the endpoints. Pure bookkeeping, without I/O.
 *
 * Round robin: an endpoint gets a slot for one delivery, then lines up again. An untried endpoint gets one slot and counts as not
 * fast, so any number of new and dead endpoints together cannot take more than their share.
 */
export function createSlotScheduler(limits: SlotLimits, now: () => number) {
  const line = new Set<EndpointQueue>();
  const occupying = new Set<EndpointQueue>();
  let total = 0;
  let extra = 0;
  let unrecorded = 0;

  function mayStart(queue: EndpointQueue, used: Usage): boolean {
    if (used.inFlight >= queue.concurrencyLimit(now())) return false;
    if (isExtra(used.slots) && used.extra >= limits.extra) return false;
    return queue.isFast(now()) || used.notFast() < limits.notFast;
  }

  function countNotFast(): number {
    let count = 0;
    for (const queue of occupying) if (!queue.isFast(now())) count += Math.min(queue.slots, BASE_CONCURRENCY);
    return count;
  }

  function countClaimedAhead(): number {
    let count = 0;
    for (const queue of line) count += queue.claimedAhead;
    return count;
  }

  return {
    /** Puts the endpoint at the end of the line, unless it is in the line. */
    enqueue(queue: EndpointQueue): void {
      line.add(queue);
    },

    /** Removes the first endpoint in the line that may have a slot. It occupies the slot until `freeSlot`. Null when none may. */
    next(): EndpointQueue | null {
      if (total >= limits.total || unrecorded >= limits.unrecorded) return null;
      let counted: number | undefined;
      const notFast = () => {
        counted ??= countNotFast();
        return counted;
      };
      for (const queue of line) {
        const { inFlight, slots } = queue;
        if (!mayStart(queue, { inFlight, slots, extra, notFast })) continue;
        line.delete(queue);
        queue.occupySlot();
        occupying.add(queue);
        total += 1;
        if (isExtra(slots)) extra += 1;
        return queue;
      }
      return null;
    },

    /** The endpoint has responded. Its attempt is in flight until `settle`. */
    freeSlot(queue: EndpointQueue): void {
      queue.freeSlot();
      if (queue.slots === 0) occupying.delete(queue);
      total -= 1;
      unrecorded += 1;
      if (isExtra(queue.slots)) extra -= 1;
    },

    /** The attempt whose slot was freed is recorded, or did not take place. */
    settle(queue: EndpointQueue): void {
      queue.settle();
      unrecorded -= 1;
    },

    /** Slots in use. */
    slots: () => total,
    /** Attempts that are not recorded yet. */
    inFlight: () => total + unrecorded,
    /** Whether no attempt to the endpoint is in flight, and it is not in the line. */
    isIdle: (queue: EndpointQueue) => queue.inFlight === 0 && !line.has(queue),

    /**
     * Returns a function that tells, for one new delivery after the other, whether it is sent within moments: it would get a slot
     * immediately, or the endpoint is fast, below its limit, and has no older deliveries that are not claimed.
     */
    foresee(): (queue: EndpointQueue) => boolean {
      const foreseen = new Map<EndpointQueue, number>();
      let free = Math.min(limits.total - total, limits.unrecorded - unrecorded);
      let ahead = limits.claimedAhead - countClaimedAhead();
      let foreseenExtra = extra;
      let notFast = countNotFast();
      return (queue) => {
        const isFast = queue.isFast(now());
        const own = foreseen.get(queue) ?? queue.claimedAhead;
        const slots = queue.slots + own;
        const used = { inFlight: queue.inFlight + own, slots, extra: foreseenExtra, notFast: () => notFast };
        const isImmediate = free > 0 && !line.has(queue);
        const isSoon = isFast && ahead > 0 && !queue.mayHaveUnclaimed();
        if (!(isImmediate || isSoon) || !mayStart(queue, used)) return false;
        foreseen.set(queue, own + 1);
        if (isImmediate) free -= 1;
        else ahead -= 1;
        if (isExtra(slots)) foreseenExtra += 1;
        if (!isFast) notFast += 1;
        return true;
      };
    },
  };
}

/** Whether a further slot of an endpoint that has this many is an extra one. */
function isExtra(occupied: number): boolean {
  return occupied >= BASE_CONCURRENCY;
}
