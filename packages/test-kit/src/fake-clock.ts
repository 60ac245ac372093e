/** Implements the `Clock` of `runtime`. */
export interface FakeClock {
  now(): number;
  /** Moves the time forward. */
  advance(ms: number): void;
  /** Sets the time, in ms since the epoch. */
  set(ms: number): void;
}

/** Creates a clock that only a test advances. Starts at 2026-01-01T00:00:00Z by default. */
export function createFakeClock(startMs: number = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    set(ms) {
      nowMs = ms;
    },
  };
}
