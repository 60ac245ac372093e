export const TIME_ZONE_COOKIE = 'time_zone';

/** The zone that the browser has told by its cookie; UTC when it has not, or when this server does not know the zone. */
export function readTimeZone(cookie: string | undefined): string {
  if (cookie === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
