import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { apiTime, beginningOf, dayIn, endOf } from '#lib/server/zoned-time.ts';

/** The default period of an export: the last thirty days, including today. */
const DAYS_OFFERED = 30;

export function offeredPeriod(nowMs: number, timeZone: string): { from: string; to: string } {
  return { from: dayIn(timeZone, nowMs - (DAYS_OFFERED - 1) * DAY_MS), to: dayIn(timeZone, nowMs) };
}

/**
 * Converts the days from `from` to `to` into times for the API, or returns one sentence that says what is wrong with
 * them.
 */
export function readExportPeriod(
  query: URLSearchParams,
  timeZone: string,
): { period: { from: string; to: string } } | { error: string } {
  const from = beginningOf(query.get('from') ?? '', '', timeZone);
  const to = endOf(query.get('to') ?? '', '', timeZone);
  if (!from || !to) return { error: 'Enter both dates, for example 2026-11-21.' };
  if (from.epochMilliseconds >= to.epochMilliseconds) {
    return { error: 'The end date must not be before the start date.' };
  }
  return { period: { from: apiTime(from), to: apiTime(to) } };
}
