import type { AuditHead, ExportHeader, ExportRecord } from '@tollgate/contracts/audit/audit-log';
import { describe, expect, it } from 'vitest';
import { openTree } from '../src/compact-tree.ts';
import { writeExportLine } from '../src/export-line.ts';
import { CLOCK_TOLERANCE_MS, checkRecordTimes } from '../src/verify/check-record-times.ts';
import { collectFindings, MAX_KEPT_FINDINGS } from '../src/verify/findings.ts';
import { type ExportedRecord, readLine } from '../src/verify/read-line.ts';
import { createRecordLog } from '../src/verify/record-log.ts';
import { buildLog, exportLog, timeOf, verifyingKey } from './build-export.ts';

const LOG = buildLog([20]);
const HEADER = exportLog(LOG)[0] as ExportHeader;
const HEAD = LOG.lines.flatMap((line) => (line.type === 'head' ? [line.head] : []))[0] as AuditHead;
const RECORDS = LOG.lines.filter((line) => line.type === 'record').map(read);

function read(line: ExportRecord): ExportedRecord {
  const result = readLine(writeExportLine(line).trimEnd());
  if (result.type !== 'record') throw new Error('The line is not read as a record');
  return result.record;
}

it('records without a head do not stay in memory, but are checked one by one', () => {
  const findings = collectFindings();
  const log = createRecordLog({
    header: HEADER,
    tree: openTree(),
    keys: [verifyingKey(LOG.key)],
    findings,
    everySeal: false,
    maxRecords: 12,
  });
  for (const record of RECORDS) {
    log.add(record.seq === 8 || record.seq === 17 ? { ...record, leafHash: '0'.repeat(64) } : record);
  }
  log.close(HEAD);
  log.finish(20);
  expect(findings.kept.map(({ code, seq }) => ({ code, seq }))).toEqual([
    { code: 'head-missing', seq: 1 },
    { code: 'record-changed', seq: 8 },
    { code: 'record-changed', seq: 17 },
  ]);
});

describe('the times of records', () => {
  const atMs = Date.parse(timeOf(1));
  const bounds = { lastRecordedAtMs: atMs, headBeforeAtMs: atMs, headAtMs: atMs };

  function codes(recordedAtMs: number, others: Partial<typeof bounds> = {}): number {
    const findings = collectFindings();
    const [record] = RECORDS as [ExportedRecord];
    checkRecordTimes([{ ...record, recordedAtMs }], { ...bounds, ...others }, findings);
    return findings.count;
  }

  it('the times of records are valid at the limits of the clock tolerance', () => {
    expect(codes(atMs)).toBe(0);
    expect(codes(atMs + CLOCK_TOLERANCE_MS)).toBe(0);
    expect(codes(atMs, { headBeforeAtMs: atMs + CLOCK_TOLERANCE_MS })).toBe(0);
  });

  it('the times of records are invalid one millisecond beyond them', () => {
    expect(codes(atMs - 1)).toBe(1);
    expect(codes(atMs + CLOCK_TOLERANCE_MS + 1)).toBe(1);
    expect(codes(atMs, { headBeforeAtMs: atMs + CLOCK_TOLERANCE_MS + 1 })).toBe(1);
  });
});

it('findings are all counted and reported, and the first ones kept', () => {
  let reported = 0;
  const findings = collectFindings(() => {
    reported += 1;
  });
  for (let seq = 1; seq <= MAX_KEPT_FINDINGS + 5; seq++) findings.add('record-changed', '', { seq });
  expect(findings.kept).toHaveLength(MAX_KEPT_FINDINGS);
  expect([findings.count, reported]).toEqual([MAX_KEPT_FINDINGS + 5, MAX_KEPT_FINDINGS + 5]);
});
