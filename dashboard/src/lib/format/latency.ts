import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { formatCount, formatDecimal } from './number.ts';

/** Formats how long something took, with two or three digits: `3.2 ms`, `120 ms`, `2.1 s`. */
export function formatLatency(latencyMs: number): string {
  if (latencyMs >= SECOND_MS) return `${formatDecimal(latencyMs / SECOND_MS, 1)} s`;
  return latencyMs < 10 ? `${formatCount(Number(latencyMs.toFixed(1)))} ms` : `${Math.round(latencyMs)} ms`;
}
