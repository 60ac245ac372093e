import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';

/** Allowed difference between the clocks of two instances of the audit service. */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;

export interface TimeBounds {
  /** When the previous record was recorded. */
  lastRecordedAtMs: number;
  /** Times of the head before these records and of the head that covers them. */
  headBeforeAtMs: number;
  headAtMs: number;
}

/**
 * Checks whether the recording times of genuine records are possible: they are sealed, so only the service's clock can
 * have been wrong. The time of occurrence is not checked: it comes from another service's clock, and a fast clock is
 * not tampering. Returns when the last record was recorded.
 */
export function checkRecordTimes(
  records: readonly ExportedRecord[],
  { lastRecordedAtMs, headBeforeAtMs, headAtMs }: TimeBounds,
  findings: Findings,
): number {
  let latestMs = lastRecordedAtMs;
  for (const record of records) {
    const { recordedAtMs } = record;
    const report = (detail: string) => findings.add('record-time-invalid', detail, record);
    if (recordedAtMs < latestMs) report('The recording time is before that of the previous record.');
    else if (recordedAtMs < headBeforeAtMs - CLOCK_TOLERANCE_MS)
      report('The recording time is before that of the previous tree head.');
    else if (recordedAtMs > headAtMs + CLOCK_TOLERANCE_MS)
      report('The recording time is after that of the tree head that covers the record.');
    latestMs = Math.max(latestMs, recordedAtMs);
  }
  return latestMs;
}
