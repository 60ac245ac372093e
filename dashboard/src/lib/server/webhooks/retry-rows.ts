import { HOUR_S } from '@tollgate/contracts/platform/durations';
import { RETRY_STEPS_MS } from '@tollgate/contracts/webhooks/retry-schedule';

/** The attempts of a delivery that never succeeds: those of live, with the pauses of the sandbox beside them. */
export function retryRows() {
  let sinceFirstMs = 0;
  return [0, ...RETRY_STEPS_MS.live].map((pauseMs, index) => {
    sinceFirstMs += pauseMs;
    return {
      attempt: index + 1,
      /** Time since the previous attempt; null for the first. */
      pause: formatDuration(pauseMs),
      /** Time since the first attempt; null for the first. */
      sinceFirst: formatDuration(sinceFirstMs),
      /** Like `pause`, in the sandbox; null after the last attempt. */
      sandboxPause: formatDuration(RETRY_STEPS_MS.sandbox[index - 1] ?? 0),
    };
  });
}

const MINUTE_S = 60;

/** `2 h 35 min`: the two largest units, to keep sums readable. Null for no time. */
function formatDuration(ms: number): string | null {
  if (ms === 0) return null;
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
