/** Milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Seconds. */
export const HOUR_S = 60 * 60;
export const DAY_S = 24 * HOUR_S;
export const YEAR_S = 365 * DAY_S;
