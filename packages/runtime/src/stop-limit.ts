/**
 * Time for each stage of a process to finish what is in flight, counted from the end of the drain. Longer than the gateway's timeout for
 * payments, so that requests in flight can complete.
 */
export const STAGE_STOP_TIMEOUT_MS = 28_000;

/** Time for the last spans and lines. */
const EXIT_TIME_MS = 5_000;

/** Time after the drain within which a process with this number of stages exits. A supervisor must not kill it earlier. */
export function stopLimitMs(stageCount: number): number {
  return stageCount * STAGE_STOP_TIMEOUT_MS + EXIT_TIME_MS;
}
