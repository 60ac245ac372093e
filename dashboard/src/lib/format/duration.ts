import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { formatDecimal } from './number.ts';

/** Formats a duration: `230 ms`, `2.1 s`. */
export function formatDuration(durationMs: number): string {
  return durationMs < SECOND_MS
    ? `${Math.round(durationMs)} ms`
    : `${formatDecimal(durationMs / SECOND_MS, 1)} s`;
}
