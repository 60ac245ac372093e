import { apiTime, endOf } from '../zoned-time.ts';

/**
 * The end of a day, `2026-03-29`, in a time zone: the last millisecond, so that it shows as that day. RFC 3339, UTC. Days of
 * 23 and 25 hours are right. Null when it is no day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  const end = endOf(day, '', timeZone);
  return end && apiTime(end.subtract({ milliseconds: 1 }));
}

/** Today as someone in the zone has it, for the `min` of a date field. */
export function dayIn(timeZone: string, nowMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
