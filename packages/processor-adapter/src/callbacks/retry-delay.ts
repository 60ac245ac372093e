import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';

const FIRST_DELAY_MS = SECOND_MS;
const MAX_DELAY_MS = 5 * MINUTE_MS;
/** Largest random share by which a delay is shortened, so that callbacks that failed together are not repeated together. */
const JITTER = 0.2;

/** @param failedAttempts including the one that has just failed */
export function retryDelayMs(failedAttempts: number): number {
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failedAttempts - 1));
  return Math.round(delayMs * (1 - JITTER * Math.random()));
}

/** The delay after a response that only an operator can change. */
export function slowRetryDelayMs(): number {
  return retryDelayMs(Number.MAX_SAFE_INTEGER);
}
