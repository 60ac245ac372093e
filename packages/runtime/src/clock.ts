/** The time, in ms since the epoch. Injected wherever time decides something, so that tests own it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
