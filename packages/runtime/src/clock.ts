/** The time, in ms since the epoch. Injected wherever behavior depends on time, so that tests control it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
