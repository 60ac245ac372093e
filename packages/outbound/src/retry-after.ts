import { SECOND_MS } from '@tollgate/contracts/platform/durations';

/** `Retry-After` as milliseconds from now: seconds or an HTTP date (RFC 9110 §10.2.3). Null when it is neither. */
export function parseRetryAfterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND_MS;
  // Date.parse accepts much more than HTTP dates, for example "-1" as a year.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
