import type { VerifyingKey } from '../keys.ts';
import { compareBySeals } from './compare-by-seals.ts';
import { type Compared, type Expected, grow, reportLine } from './comparison.ts';
import type { Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';

/**
 * Finds the changed records. The root of the head proves all of them at once. Only if it differs are the seals checked
 * one by one, which takes a hundred times as long but identifies the record.
 */
export function compareRecords(
  records: readonly ExportedRecord[],
  expected: Expected,
  keys: readonly VerifyingKey[],
  findings: Findings,
): Compared {
  const tree = isGapless(records, expected)
    ? grow(
        expected.tree,
        records.map(({ leafHash }) => leafHash),
      )
    : null;
  if (tree === null || tree.root() !== expected.root) {
    return compareBySeals(records, expected, keys, findings);
  }
  for (const record of records) {
    if (record.leafHash !== record.writtenHash || !record.isAsWritten) reportLine(record, findings);
  }
  return { tree, genuine: [...records], later: [], missing: [] };
}

function isGapless(records: readonly ExportedRecord[], { after, upTo }: Expected): boolean {
  return records.length === upTo - after && records.every(({ seq }, index) => seq === after + 1 + index);
}
