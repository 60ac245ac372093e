import { SECOND_MS } from '@tollgate/contracts/durations';

/** Formats a duration: `230 ms`, `2.1 s`. */
export function formatDuration(durationMs: number): string {
  return durationMs < SECOND_MS ? `${Math.round(durationMs)} ms` : `${(durationMs / SECOND_MS).toFixed(1)} s`;
}
