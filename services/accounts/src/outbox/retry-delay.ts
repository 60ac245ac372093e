import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';

const FIRST_RETRY_DELAY_MS = 5 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * MINUTE_MS;

/** The delay after so many failures in a row, from 1. */
export function retryDelayMs(failures: number): number {
  return Math.min(FIRST_RETRY_DELAY_MS * 2 ** (failures - 1), MAX_RETRY_DELAY_MS);
}
