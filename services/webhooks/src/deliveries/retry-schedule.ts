import { SECOND_MS } from '@tollgate/contracts/durations';
import type { Environment } from '@tollgate/contracts/environment';
import { RETRY_JITTER, RETRY_STEPS_MS } from '@tollgate/contracts/retry-steps';

/** `Retry-After` applies up to this many times the step. */
const MAX_RETRY_AFTER_STEPS = 2;

/**
 * Milliseconds until the next attempt; null when there is none.
 *
 * @param failures attempts of this round that have failed, at least 1
 * @param retryAfterMs the receiver's `Retry-After`; null without one
 * @param random from 0 to below 1
 */
export function nextDelayMs(
  environment: Environment,
  failures: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const stepMs = RETRY_STEPS_MS[environment][failures - 1];
  if (stepMs === undefined) return null;
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, stepMs), MAX_RETRY_AFTER_STEPS * stepMs);
  return Math.round(stepMs * (1 + RETRY_JITTER * (2 * random - 1)));
}

/** `Retry-After` as milliseconds from now: seconds or an HTTP date (RFC 9110 §10.2.3). Null when it is neither. */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  // Date.parse accepts much more than HTTP dates, for example "-1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
