import type { CompactTree } from '../compact-tree.ts';
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
  /** Tree of the records up to `after`; null if an earlier part is missing, so that no further root can be computed. */
  tree: CompactTree | null;
}

export interface Compared {
  /** Tree of the records up to `upTo`, as they were written; null for the same reason as in `Expected`. */
  tree: CompactTree | null;
  /** What the service wrote, by rising `seq`. */
  genuine: ExportedRecord[];
  /** Records that belong to a later head, in the order of the export. */
  later: ExportedRecord[];
  missing: SeqRange[];
}

/** Both ends are inclusive. */
export interface SeqRange {
  from: number;
  to: number;
}

/** The tree with more leaves; null stays null. */
export function grow(tree: CompactTree | null, leaves: readonly string[]): CompactTree | null {
  const grown = tree?.copy() ?? null;
  for (const leaf of leaves) grown?.append(leaf);
  return grown;
}

/** A record that is proved, in a line that is not what was written for it. */
export function reportLine(record: ExportedRecord, findings: Findings): void {
  findings.add('record-changed', 'The record is unchanged, but the rest of its line was changed.', record);
}
