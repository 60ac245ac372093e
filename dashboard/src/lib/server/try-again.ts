const MINUTE_S = 60;

/** When a rejected request may be repeated, as a sentence. */
export function tryAgain(retryAfterS: number | null): string {
  if (retryAfterS === null) return 'Try again later.';
  if (retryAfterS <= MINUTE_S) return `Try again in ${retryAfterS} second${retryAfterS === 1 ? '' : 's'}.`;
  return `Try again in ${Math.ceil(retryAfterS / MINUTE_S)} minutes.`;
}
