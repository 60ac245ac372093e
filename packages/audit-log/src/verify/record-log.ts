import type { AuditHead, ExportHeader } from '@tollgate/contracts/audit/audit-log';
import type { CompactTree } from '../compact-tree.ts';
import type { VerifyingKey } from '../keys.ts';
import { sealHolds } from '../seal.ts';
import { checkRecordTimes } from './check-record-times.ts';
import { compareRecords } from './compare-records.ts';
import type { Compared, SeqRange } from './comparison.ts';
import type { FindingCode, Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';
import type { Restore } from './restore-record.ts';

/** Records stay in memory until their head arrives. A service signs heads ten times as often (MAX_RECORDS_PER_HEAD). */
const MAX_RECORDS_IN_MEMORY = 100_000;

export interface RecordLogOptions {
  header: ExportHeader;
  tree: CompactTree | null;
  keys: readonly VerifyingKey[];
  findings: Findings;
  /** Also checks the seals of records that their head already proves. */
  everySeal: boolean;
  /** Maximum number of records held in memory until a head arrives. */
  maxRecords?: number;
}

/** Compares the records of a log head by head. Holds the records of one head in memory. */
export function createRecordLog({
  header,
  tree,
  keys,
  findings,
  everySeal,
  maxRecords = MAX_RECORDS_IN_MEMORY,
}: RecordLogOptions) {
  const restores: Restore[] = [];
  let after = header.size_before;
  let records: ExportedRecord[] = [];
  let highestSeq = 0;
  /** A head that arrived before its records. */
  let early: AuditHead | null = null;
  let lastRecordedAtMs = Number.NEGATIVE_INFINITY;
  let headBeforeAtMs = header.head_before ? Date.parse(header.head_before.at) : Number.NEGATIVE_INFINITY;

  const isSealed = ({ leafHash, seal }: ExportedRecord) => seal !== null && sealHolds(leafHash, seal, keys);

  function compare(upTo: number, head: AuditHead | null): Compared {
    const expected = { teamId: header.team_id, after, upTo, tree };
    const compared = compareRecords(
      records,
      { ...expected, root: head?.root ?? null, headNumber: head?.number ?? null },
      keys,
      findings,
    );
    restores.push(...compared.genuine.flatMap(({ restore }) => restore ?? []));
    if (everySeal) {
      for (const record of compared.genuine.filter((one) => !isSealed(one))) {
        report('record-changed', record, 'The record is unchanged, but its seal was changed.');
      }
    }
    const headAtMs = head === null ? Number.POSITIVE_INFINITY : Date.parse(head.at);
    const bounds = { lastRecordedAtMs, headBeforeAtMs, headAtMs };
    lastRecordedAtMs = checkRecordTimes(compared.genuine, bounds, findings);
    if (head !== null) headBeforeAtMs = headAtMs;
    after = upTo;
    tree = compared.tree;
    return compared;
  }

  function report(code: FindingCode, record: ExportedRecord, detail: string, head_number?: number) {
    const { seq, record_id } = record;
    findings.add(code, detail, { seq, record_id, head_number: head_number ?? null });
  }

  function reportMissing(code: FindingCode, { from, to }: SeqRange, headNumber: number | null): void {
    const which = from === to ? `Record ${from} is` : `Records ${from} to ${to} are`;
    findings.add(code, `${which} missing.`, { seq: from, head_number: headNumber });
  }

  function settle(head: AuditHead): void {
    const { later, missing } = compare(head.size, head);
    for (const range of missing) reportMissing('record-missing', range, head.number);
    const isLater = new Set(later);
    const tail = records.slice(records.findLastIndex((record) => !isLater.has(record)) + 1);
    const [firstOfTail] = tail;
    if (firstOfTail?.seq === head.size + 1) {
      report(
        'head-out-of-place',
        firstOfTail,
        'The tree head follows records that were written after it.',
        head.number,
      );
      for (const record of tail) isLater.delete(record);
    }
    for (const record of isLater) {
      report(
        'record-out-of-place',
        record,
        `The record precedes tree head ${head.number}, but was written after it.`,
      );
    }
    keep(later);
  }

  function keep(later: ExportedRecord[]): void {
    records = later;
    highestSeq = Math.max(0, ...later.slice(-1).map(({ seq }) => seq ?? 0));
    early = null;
  }

  return {
    /** The restores that genuine records state. */
    restores,
    add(record: ExportedRecord): void {
      if (early !== null) {
        if ((record.seq ?? 0) > early.size) settle(early);
        else if (isSealed(record)) {
          report(
            'head-out-of-place',
            record,
            'The tree head precedes a record that it covers.',
            early.number,
          );
        }
      }
      records.push(record);
      highestSeq = Math.max(highestSeq, record.seq ?? 0);
      if (records.length > maxRecords) {
        const upTo = records.findLast(isSealed)?.seq ?? after + records.length;
        findings.add('head-missing', `More than ${maxRecords} records follow without a tree head.`, {
          seq: after + 1,
        });
        keep(compare(upTo, null).later);
      }
    },
    /** A reliable head: the records up to it are compared when all of them have arrived. */
    close(head: AuditHead): void {
      if (early !== null) settle(early);
      if (highestSeq >= head.size || after === head.size) settle(head);
      else early = head;
    },
    /** Compares the records without a head. @param size number of expected records, if known */
    finish(size: number | null): void {
      if (early !== null) settle(early);
      if (records.length === 0 && (size === null || size <= after)) return;
      const upTo = Math.max(size ?? records.findLast(isSealed)?.seq ?? 0, after);
      const { later, missing } = compare(upTo, null);
      for (const range of missing)
        reportMissing(range.to === upTo ? 'log-truncated' : 'record-missing', range, null);
      for (const record of later) {
        report('record-out-of-place', record, 'The record follows the last tree head of the export.');
      }
    },
  };
}
