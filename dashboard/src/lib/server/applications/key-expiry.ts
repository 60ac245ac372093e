/**
 * The end of a day, `2026-03-29`, in a time zone: the last millisecond, so that it shows as that day. RFC 3339, UTC. Days of
 * 23 and 25 hours are right. Null when it is no day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  try {
    const nextDay = Temporal.PlainDate.from(day, { overflow: 'reject' }).add({ days: 1 });
    const end = nextDay.toZonedDateTime(timeZone).toInstant().subtract({ milliseconds: 1 });
    return end.toString({ smallestUnit: 'millisecond' });
  } catch {
    return null;
  }
}

/** Today as somebody in the zone has it, for the `min` of a date field. */
export function dayIn(timeZone: string, nowMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
