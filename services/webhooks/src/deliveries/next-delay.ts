import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  MAX_RETRY_AFTER_STEPS,
  RETRY_JITTER,
  RETRY_STEPS_MS,
} from '@tollgate/contracts/webhooks/retry-schedule';

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
