/** A receiver that takes longer is slow; so is an attempt that runs for longer. */
export const SLOW_MS = 2_000;
/** Endpoints whose pace is remembered; more than any instance sends to within minutes. */
const MAX_REMEMBERED = 10_000;

/** How quickly endpoints answer, as this instance has seen it. Times in ms. */
export interface Pace {
  /** Whether it has answered quickly lately. One that has not been tried is not quick. */
  isQuick(endpointId: string, now: number): boolean;
  /** Whether it has been tried at all. */
  isKnown(endpointId: string): boolean;
  /** Notes the start of an attempt; the result notes its end. */
  start(endpointId: string, now: number): (endedAt: number) => void;
}

export function createPace(): Pace {
  const lastMs = new Map<string, number>();
  const startedAt = new Map<string, Set<{ at: number }>>();

  return {
    isKnown: (endpointId) => lastMs.has(endpointId),

    isQuick(endpointId, now) {
      const last = lastMs.get(endpointId);
      if (last === undefined || last > SLOW_MS) return false;
      for (const { at } of startedAt.get(endpointId) ?? []) if (now - at > SLOW_MS) return false;
      return true;
    },

    start(endpointId, now) {
      const attempt = { at: now };
      const underWay = startedAt.get(endpointId) ?? new Set();
      startedAt.set(endpointId, underWay.add(attempt));
      return (endedAt) => {
        underWay.delete(attempt);
        if (underWay.size === 0 && startedAt.get(endpointId) === underWay) startedAt.delete(endpointId);
        // Deleted first, so that the map stays in the order of last use and forgets the one that is unused for longest.
        lastMs.delete(endpointId);
        lastMs.set(endpointId, endedAt - now);
        if (lastMs.size > MAX_REMEMBERED) lastMs.delete(lastMs.keys().next().value as string);
      };
    },
  };
}
