export interface SlotLimits {
  /** Attempts under way at once. */
  total: number;
  /** Of one endpoint. */
  perEndpoint: number;
  /** Of all endpoints together that are not known to answer quickly. */
  notQuick: number;
}

/** What decides about an endpoint's slots. */
export interface EndpointPace {
  isQuick(endpointId: string): boolean;
  isKnown(endpointId: string): boolean;
}

/** Who is served next. Pure bookkeeping: nothing here waits or asks anybody. */
export interface TurnOrder {
  /** Something may be due for it: it lines up at the end, unless it stands there already. */
  add(endpointId: string): void;
  /** The first in line that may have a slot. It leaves the line and has the slot until `done`. Null when nobody may. */
  next(): string | null;
  done(endpointId: string): void;
  inFlight(endpointId?: string): number;
  isWaiting(endpointId: string): boolean;
  /** Says, one after the other, of deliveries that are yet to come whether they will have a slot at once. */
  foresee(): (endpointId: string) => boolean;
}

/**
 * Endpoints take turns, one delivery each. A quick one has a few slots; one that has never been tried has one, and counts as not quick, so that
 * any number of new and dead endpoints together cannot take more than their share.
 */
export function createTurnOrder(limits: SlotLimits, pace: EndpointPace): TurnOrder {
  const waiting = new Set<string>();
  const underWay = new Map<string, number>();
  let total = 0;

  function mayStart(endpointId: string, own: number, notQuick: () => number): boolean {
    if (own >= (pace.isKnown(endpointId) ? limits.perEndpoint : 1)) return false;
    return pace.isQuick(endpointId) || notQuick() < limits.notQuick;
  }

  function countNotQuick(): number {
    let count = 0;
    for (const [endpointId, own] of underWay) if (!pace.isQuick(endpointId)) count += own;
    return count;
  }

  return {
    add(endpointId) {
      waiting.add(endpointId);
    },

    next() {
      if (total >= limits.total) return null;
      let counted: number | undefined;
      const notQuick = () => {
        counted ??= countNotQuick();
        return counted;
      };
      for (const endpointId of waiting) {
        const own = underWay.get(endpointId) ?? 0;
        if (!mayStart(endpointId, own, notQuick)) continue;
        waiting.delete(endpointId);
        underWay.set(endpointId, own + 1);
        total += 1;
        return endpointId;
      }
      return null;
    },

    done(endpointId) {
      const own = underWay.get(endpointId) ?? 0;
      if (own === 0) throw new Error(`${endpointId} has no slot to give back.`);
      if (own === 1) underWay.delete(endpointId);
      else underWay.set(endpointId, own - 1);
      total -= 1;
    },

    inFlight: (endpointId) => (endpointId === undefined ? total : (underWay.get(endpointId) ?? 0)),
    isWaiting: (endpointId) => waiting.has(endpointId),

    foresee() {
      const coming = new Map<string, number>();
      let free = limits.total - total;
      let notQuick = countNotQuick();
      return (endpointId) => {
        const own = (underWay.get(endpointId) ?? 0) + (coming.get(endpointId) ?? 0);
        if (free <= 0 || waiting.has(endpointId) || !mayStart(endpointId, own, () => notQuick)) return false;
        coming.set(endpointId, (coming.get(endpointId) ?? 0) + 1);
        free -= 1;
        if (!pace.isQuick(endpointId)) notQuick += 1;
        return true;
      };
    },
  };
}

/** Attempts of one endpoint at once: what a small receiver stands, and enough for 50 deliveries a second at 100 ms each. */
const PER_ENDPOINT = 5;
/** The share of the slots that endpoints which do not answer quickly have together. */
const NOT_QUICK_SHARE = 0.25;

export function slotLimits(total: number): SlotLimits {
  return { total, perEndpoint: PER_ENDPOINT, notQuick: Math.max(1, Math.floor(total * NOT_QUICK_SHARE)) };
}
