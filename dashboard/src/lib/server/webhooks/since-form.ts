import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { apiTime, beginningOf, localMinute } from '#lib/server/zoned-time.ts';

/**
 * The default of the field, in the viewer's time zone: when the endpoint began to fail, or one day ago if it does not
 * fail.
 */
export function suggestSince(missingSince: string | null, timeZone: string, nowMs: number): string {
  return localMinute(missingSince ?? new Date(nowMs - DAY_MS).toISOString(), timeZone);
}

/** The value of the field `since` in the format of the admin API; null when it is not a valid time. */
export function readSince(since: string, timeZone: string): string | null {
  const [date = '', time = ''] = since.split('T');
  const instant = beginningOf(date, time, timeZone);
  return instant && apiTime(instant);
}
