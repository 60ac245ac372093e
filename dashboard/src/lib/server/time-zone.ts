export const TIME_ZONE_COOKIE = 'time_zone';

/** The time zone from the browser's cookie; UTC when the cookie is missing or this server does not know the zone. */
export function readTimeZone(cookie: string | undefined): string {
  if (cookie === undefined) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
