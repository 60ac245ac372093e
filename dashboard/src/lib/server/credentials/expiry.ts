import type { Form } from '../form.ts';
import { apiTime, endOf } from '../zoned-time.ts';

/**
 * The last millisecond of a day, `2026-03-29`, in a time zone, so that the expiry shows as that day. RFC 3339, UTC.
 * Handles days of 23 and 25 hours. Null when the text is not a day.
 */
export function endOfDay(day: string, timeZone: string): string | null {
  const end = endOf(day, '', timeZone);
  return end && apiTime(end.subtract({ milliseconds: 1 }));
}

/** The last day of a credential, or an empty text for one that does not expire. Rejects the form when it is no day. */
export function readExpiryDay(form: Form, timeZone: string): string {
  const day = form.text('expires_on');
  if (day !== '' && endOfDay(day, timeZone) === null)
    form.reject('expires_on', 'Enter a valid date such as 2026-12-31.');
  return day;
}
