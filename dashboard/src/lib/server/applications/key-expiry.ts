/**
 * The end of a day, `2026-03-29`, in a time zone: the moment the next day begins there. RFC 3339, UTC. Days of 23 and 25 hours
 * are right. Null when it is no day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  try {
    const nextDay = Temporal.PlainDate.from(day, { overflow: 'reject' }).add({ days: 1 });
    return nextDay.toZonedDateTime(timeZone).toInstant().toString({ smallestUnit: 'millisecond' });
  } catch {
    return null;
  }
}

/** Today as somebody in the zone has it, for the `min` of a date field. */
export function dayIn(timeZone: string, nowMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
