import { isDeepStrictEqual } from 'node:util';
import { openTree } from '@tollgate/audit-log/compact-tree';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import { type HeadDocument, headIdOf } from '../heads/head-store.ts';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import { searchWordsOf } from '../records/search-terms.ts';

/** Checks the stored fields of a record that no hash covers: the search words. */
export function checkRecordDocument(document: RecordDocument, findings: Findings): void {
  if (isDeepStrictEqual(document.words, wordsOf(document))) return;
  findings.add('record-changed', 'The stored search words do not match the record.', {
    seq: numberOrNull(document.seq),
    recordId: String(document._id),
  });
}

/** A modified record may have a form from which no words can be computed. */
function wordsOf(document: RecordDocument): string[] | null {
  try {
    return searchWordsOf(toRecord(document));
  } catch {
    return null;
  }
}

/**
 * Checks the stored fields of a tree head that no signature covers: the subtrees, from which the next head is created.
 */
export function checkHeadDocument(document: HeadDocument, findings: Findings): void {
  if (document._id === headIdOf(document) && subtreesHold(document)) return;
  findings.add('head-changed', 'The stored id or subtrees of the tree head were changed.', {
    headNumber: numberOrNull(document.number),
  });
}

function subtreesHold({ size, subtrees, root }: HeadDocument): boolean {
  try {
    return openTree(size, subtrees).root() === root;
  } catch {
    return false;
  }
}

/** A field that was tampered with may have any value. */
function numberOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}
