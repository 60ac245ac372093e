/** Satisfies the `Clock` of `runtime`. */
export interface FakeClock {
  now(): number;
  /** Moves the time forward. */
  advance(ms: number): void;
  /** Sets the time, in ms since the epoch. */
  set(ms: number): void;
}

/** A clock that stands still until a test moves it. Begins at 2026-01-01T00:00:00Z unless told otherwise. */
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
