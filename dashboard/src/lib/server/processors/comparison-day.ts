import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { beginningOf, dayIn } from '../zoned-time.ts';

/** Payments waits so long after the end of a day. */
const COMPARED_AFTER_MS = HOUR_MS;

/** A day in UTC with its neighbours; null when the text is no day. `next` is null for a day that cannot be compared yet. */
export function readComparisonDay(text: string, nowMs: number) {
  const startMs = beginningOf(text, '', 'UTC')?.epochMilliseconds;
  if (startMs === undefined) return null;
  const next = dayIn('UTC', startMs + DAY_MS);
  return {
    day: text,
    previous: dayIn('UTC', startMs - DAY_MS),
    next: next <= newestDay(nowMs) ? next : null,
  };
}

/** The newest day that has been compared, if nothing is late. */
export function newestDay(nowMs: number): string {
  return dayIn('UTC', nowMs - COMPARED_AFTER_MS - DAY_MS);
}
