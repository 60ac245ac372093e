import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { apiTime, beginningOf, endOf, localMinute } from '#lib/server/zoned-time.ts';

/** The default period of an export: the last thirty days, including today. */
const DAYS_OFFERED = 30;
const DATE_LENGTH = '2026-11-21'.length;

export function offeredPeriod(nowMs: number, timeZone: string): { from: string; to: string } {
  const dayOf = (ms: number) => localMinute(new Date(ms).toISOString(), timeZone).slice(0, DATE_LENGTH);
  return { from: dayOf(nowMs - (DAYS_OFFERED - 1) * DAY_MS), to: dayOf(nowMs) };
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
