const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** `26 November 2026 at 14:05 UTC`: a mail does not know the reader's time zone. */
export function timeText(time: Date): string {
  return `${FORMAT.format(time)} UTC`;
}
