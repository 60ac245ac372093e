import { HOUR_S } from '@tollgate/contracts/platform/durations';
import { RETRY_STEPS_MS } from '@tollgate/contracts/webhooks/retry-schedule';

/** One attempt of a delivery whose earlier attempts have all failed. */
export interface RetryRow {
  attempt: number;
  /** Time since the previous attempt; null for the first. */
  pause: string | null;
  /** Time since the first attempt; null for the first. */
  sinceFirst: string | null;
  /** Like `pause`, in the sandbox; null after the last attempt. */
  sandboxPause: string | null;
}

/** The attempts of a delivery that never succeeds. */
export function retryRows(): RetryRow[] {
  let sinceFirstMs = 0;
  const retries = RETRY_STEPS_MS.live.map((pauseMs, index) => {
    sinceFirstMs += pauseMs;
    const sandboxMs = RETRY_STEPS_MS.sandbox[index];
    return {
      attempt: index + 2,
      pause: formatDuration(pauseMs),
      sinceFirst: formatDuration(sinceFirstMs),
      sandboxPause: sandboxMs === undefined ? null : formatDuration(sandboxMs),
    };
  });
  return [{ attempt: 1, pause: null, sinceFirst: null, sandboxPause: null }, ...retries];
}

const MINUTE_S = 60;

/** `2 h 35 min`: the two largest units, to keep sums readable. */
function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  const parts = [
    { count: Math.floor(seconds / HOUR_S), unit: 'h' },
    { count: Math.floor((seconds % HOUR_S) / MINUTE_S), unit: 'min' },
    { count: seconds % MINUTE_S, unit: 's' },
  ];
  const largest = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(largest, largest + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, unit }) => `${count} ${unit}`)
    .join(' ');
}
