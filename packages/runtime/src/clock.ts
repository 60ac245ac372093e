/** The time, in ms since the epoch. Injected wherever behavior depends on time, so that tests control it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Whether less than `maxAgeMs` has passed since then. False if the clock was set back to before then, because the age is
 * unknown: a cached value would otherwise stay valid until the clock catches up.
 */
export function isYoungerThan(clock: Clock, sinceMs: number, maxAgeMs: number): boolean {
  const ageMs = clock.now() - sinceMs;
  return ageMs >= 0 && ageMs < maxAgeMs;
}
