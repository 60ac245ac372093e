import type { CompactTree } from '../compact-tree.ts';
import type { VerifyingKey } from '../keys.ts';
import { compareBySeals } from './compare-by-seals.ts';
import type { Findings } from './findings.ts';
import type { ExportedRecord } from './read-line.ts';

/** What the records of a head, those after the head before it, are held against. */
export interface Expected {
  teamId: string;
  /** The records are those with `after < seq <= upTo`. */
  after: number;
  upTo: number;
  /** Null where no head says it. */
  root: string | null;
  headNumber: number | null;
  /** Of the records up to `after`; null when something before was missing, so that no root can be computed any more. */
  tree: CompactTree | null;
}

export interface Compared {
  /** Of the records up to `upTo`, as they were written; null as above. */
  tree: CompactTree | null;
  /** What the service wrote, by rising `seq`. */
  genuine: ExportedRecord[];
  /** Records that belong to a later head, in the order they stand here. */
  later: ExportedRecord[];
  missing: SeqRange[];
}

/** Both ends are in it. */
export interface SeqRange {
  from: number;
  to: number;
}

/**
 * Finds which records are not what was written. The root of the head proves all of them at once; only where it does not are the seals looked
 * at, one by one, which takes a hundred times as long but names the record.
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

/** The tree with more leaves; null stays null. */
export function grow(tree: CompactTree | null, leaves: readonly string[]): CompactTree | null {
  const grown = tree?.copy() ?? null;
  for (const leaf of leaves) grown?.append(leaf);
  return grown;
}

/** A record that is proved, in a line that is not what was written for it. */
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
