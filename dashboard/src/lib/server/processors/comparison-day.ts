import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';

/** A day in UTC with its neighbours; null when the text is no day. `next` is null for a day that cannot be compared yet. */
export interface ComparisonDay {
  day: string;
  previous: string;
  next: string | null;
}

/** Payments waits so long after the end of a day. */
const COMPARED_AFTER_MS = HOUR_MS;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readComparisonDay(text: string, nowMs: number): ComparisonDay | null {
  const startMs = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date also accepts the 30th of February.
  if (Number.isNaN(startMs) || dayOf(startMs) !== text) return null;
  const next = dayOf(startMs + DAY_MS);
  return { day: text, previous: dayOf(startMs - DAY_MS), next: next <= newestDay(nowMs) ? next : null };
}

/** The newest day that has been compared, if nothing is late. */
export function newestDay(nowMs: number): string {
  return dayOf(nowMs - COMPARED_AFTER_MS - DAY_MS);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
}
