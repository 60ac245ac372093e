/// <reference lib="esnext.temporal" />

/**
 * The instant at which a day, or a minute of it, begins in the time zone; null when the text is not a valid day or
 * time. A time that the clocks skip in spring is moved one hour later. `date` is `2026-11-21`, `time` is `14:05` or
 * empty.
 */
export function beginningOf(date: string, time: string, timeZone: string): Temporal.Instant | null {
  return localTime(date, time)?.toZonedDateTime(timeZone).toInstant() ?? null;
}

/** The end of a range, exclusive: the instant at which the day ends, or at which the minute begins. */
export function endOf(date: string, time: string, timeZone: string): Temporal.Instant | null {
  const local = localTime(date, time);
  const end = time === '' ? local?.add({ days: 1 }) : local;
  return end?.toZonedDateTime(timeZone).toInstant() ?? null;
}

/** The format of the API: UTC, always with three digits of milliseconds. */
export function apiTime(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** The day in the time zone, in the format of `<input type="date">`: `2026-11-21`. */
export function dayIn(timeZone: string, ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The minute in the time zone, in the format of `<input type="datetime-local">`: `2026-11-21T14:05`. */
export function localMinute(at: string, timeZone: string): string {
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return local.toString({ smallestUnit: 'minute' });
}

function localTime(date: string, time: string): Temporal.PlainDateTime | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^(\d{2}:\d{2}(:\d{2})?)?$/.test(time)) return null;
  // RFC 3339 has no year before 0, and in a zone east of UTC, year 0 would begin in the year before it.
  if (date < '0001') return null;
  try {
    return Temporal.PlainDateTime.from(`${date}T${time || '00:00'}`);
  } catch {
    // 31 February has the right shape but does not exist.
    return null;
  }
}
