/** Formats a time, also one in ms since the epoch, as ISO 8601. */
export function isoOrNull(time: Date | number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}
