import { DAY_MS } from '@tollgate/contracts/platform/durations';

/**
 * Older windows are rejected: others of their minute may have expired, and a minute is computed from all of its windows
 * or not at all.
 */
const WINDOWS_TAKEN_MS = 7 * DAY_MS;
/**
 * A day longer than windows are accepted, so that one accepted at the last moment is rolled up while all windows of its
 * minute exist.
 */
export const WINDOWS_KEPT_MS = WINDOWS_TAKEN_MS + DAY_MS;

export function isTooLate(window: { at: string }, nowMs: number): boolean {
  return Date.parse(window.at) < nowMs - WINDOWS_TAKEN_MS;
}
