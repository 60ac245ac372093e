import { SECOND_MS } from '@tollgate/contracts/platform/durations';

/** Metrics count at most this many payments of a processor in each state: every instance counts them every 15 s. */
export const MAX_MEASURED_PAYMENTS = 100_000;

export interface CountBounds {
  limit: number;
  maxTimeMS: number;
}

/** The bounds of a count for metrics. */
export const MEASURED: CountBounds = { limit: MAX_MEASURED_PAYMENTS, maxTimeMS: 5 * SECOND_MS };
