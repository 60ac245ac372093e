import { YEAR_S } from '@tollgate/contracts/platform/durations';

/**
 * Reports the browser's time zone to the server, which renders times in it, and in UTC until then.
 * @param used the time zone of the page
 * @returns whether it differs
 */
export function reportTimeZone(used: string): boolean {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone === used) return false;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in some browsers.
  document.cookie = `time_zone=${encodeURIComponent(timeZone)}; path=/; max-age=${YEAR_S}; samesite=lax`;
  return true;
}
