import { MINUTE_MS } from '@tollgate/contracts/durations';
import type { Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';

/** How far the clocks of two instances of the audit service may be apart. */
export const CLOCK_TOLERANCE_MS = MINUTE_MS;

export interface TimeBounds {
  /** When the last record before these was recorded. */
  lastRecordedAtMs: number;
  /** Of the head before these records, and of the head that holds them. */
  headBeforeAtMs: number;
  headAtMs: number;
}

/**
 * Whether the times at which genuine records were recorded can be true; what the service has sealed can only be wrong where its clock was. When
 * they occurred is not judged: that is by the clock of another service, and one that is fast is no tampering. Returns when the last of
 * them was recorded.
 */
export function checkRecordTimes(
  records: readonly ExportedRecord[],
  { lastRecordedAtMs, headBeforeAtMs, headAtMs }: TimeBounds,
  findings: Findings,
): number {
  let latestMs = lastRecordedAtMs;
  for (const { seq, recordId, recordedAtMs } of records) {
    const report = (detail: string) => findings.add('record-time-invalid', detail, { seq, recordId });
    if (recordedAtMs < latestMs) report('It says that it was recorded before the record in front of it.');
    else if (recordedAtMs < headBeforeAtMs - CLOCK_TOLERANCE_MS)
      report('It says that it was recorded before the head in front of it.');
    else if (recordedAtMs > headAtMs + CLOCK_TOLERANCE_MS)
      report('It says that it was recorded after the head that holds it.');
    latestMs = Math.max(latestMs, recordedAtMs);
  }
  return latestMs;
}
