import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';

const FIRST_INTERVAL_MS = 2 * SECOND_MS;
/** Also the time within which Tollgate learns of a change whose callback was lost. */
export const MAX_INTERVAL_MS = 5 * MINUTE_MS;
/** 2 s doubled this often exceeds the maximum. */
const MAX_DOUBLINGS = 8;

/**
 * When to ask the processor again, after so many calls without a visible change, whether they failed or reported the same
 * state: after 2 s, 4 s, 8 s, and so on up to 5 minutes.
 */
export function nextCallAt(now: Date, calls: number): Date {
  const intervalMs = FIRST_INTERVAL_MS * 2 ** Math.min(calls, MAX_DOUBLINGS);
  return new Date(now.getTime() + Math.min(intervalMs, MAX_INTERVAL_MS));
}
