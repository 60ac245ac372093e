const SECOND_MS = 1_000;

/** How long something took: `230 ms`, `2.1 s`. */
export function formatDuration(durationMs: number): string {
  return durationMs < SECOND_MS ? `${Math.round(durationMs)} ms` : `${(durationMs / SECOND_MS).toFixed(1)} s`;
}
