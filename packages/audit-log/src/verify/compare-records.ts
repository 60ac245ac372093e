import type { CompactTree } from '../compact-tree.ts';
import type { VerifyingKey } from '../keys.ts';
import { compareBySeals } from './compare-by-seals.ts';
import type { Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';

/** What the records of a head, those since the previous head, are compared with. */
export interface Expected {
  teamId: string;
  /** The records are those with `after < seq <= upTo`. */
  after: number;
  upTo: number;
  /** Null if no head contains it. */
  root: string | null;
  headNumber: number | null;
  /** Tree of the records up to `after`; null if an earlier record was missing, so that no root can be computed. */
  tree: CompactTree | null;
}

export interface Compared {
  /** Tree of the records up to `upTo` as they were written; null as above. */
  tree: CompactTree | null;
  /** The records that the service wrote, by increasing `seq`. */
  genuine: ExportedRecord[];
  /** Records of a later head, in the order of the export. */
  later: ExportedRecord[];
  missing: SeqRange[];
}

/** Both ends are included. */
export interface SeqRange {
  from: number;
  to: number;
}

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

/** Adds leaves to a tree. Null stays null. */
export function grow(tree: CompactTree | null, leaves: readonly string[]): CompactTree | null {
  const grown = tree?.copy() ?? null;
  for (const leaf of leaves) grown?.append(leaf);
  return grown;
}

/** Reports a record that is proved, in a line that is not as the service wrote it. */
export function reportLine({ seq, recordId }: ExportedRecord, findings: Findings): void {
  findings.add(
    'record-changed',
    'The record itself is as it was written; what stands around it in its line was changed.',
    { seq, recordId },
  );
}

function isGapless(records: readonly ExportedRecord[], { after, upTo }: Expected): boolean {
  return records.length === upTo - after && records.every(({ seq }, index) => seq === after + 1 + index);
}
