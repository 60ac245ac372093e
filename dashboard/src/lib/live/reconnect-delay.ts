const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Delay before the next attempt after `failures` failures in a row: it doubles from 1 to 30 seconds. `random` (0 to 1)
 * spreads it over the upper half, so that the tabs of a whole team do not reconnect at the same moment.
 */
export function reconnectDelayMs(failures: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(longest * (0.5 + random / 2));
}
