import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/durations.ts';
import type { Environment } from '../platform/environment.ts';

/**
 * Delays after each failed attempt of a delivery. Live: ten attempts within about 75 hours. Sandbox: three, while the
 * developer still watches.
 */
export const RETRY_STEPS_MS: Record<Environment, readonly number[]> = {
  live: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    DAY_MS,
  ],
  sandbox: [5 * SECOND_MS, 2 * MINUTE_MS],
};

/** Random share by which a delay is shortened or extended, so that deliveries that failed together are not retried together. */
export const RETRY_JITTER = 0.2;

/** `Retry-After` applies up to this many times the step. */
export const MAX_RETRY_AFTER_STEPS = 2;

/** An endpoint is disabled after this time without a successful delivery. */
export const DISABLE_AFTER_DAYS = 5;
