/** Formats a time in ms since the epoch as ISO 8601. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
