import { apiTime, endOf } from '../zoned-time.ts';

/**
 * The last millisecond of a day, `2026-03-29`, in a time zone, so that the expiry shows as that day. RFC 3339, UTC.
 * Handles days of 23 and 25 hours. Null when the text is not a day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  const end = endOf(day, '', timeZone);
  return end && apiTime(end.subtract({ milliseconds: 1 }));
}

/** Today in the time zone, for the `min` of a date field. */
export function dayIn(timeZone: string, nowMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
