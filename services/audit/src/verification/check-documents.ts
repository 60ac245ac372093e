import { isDeepStrictEqual } from 'node:util';
import { openTree } from '@tollgate/audit-log/compact-tree';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import { type HeadDocument, headIdOf } from '../heads/head-store.ts';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import { searchWordsOf } from '../records/search-words.ts';

/** What stands beside a record and is covered by no hash: by its words it is found. */
export function checkRecordDocument(document: RecordDocument, findings: Findings): void {
  if (isDeepStrictEqual(document.words, wordsOf(document))) return;
  findings.add('record-changed', 'The words that the record is found by are not those of the record.', {
    seq: numberOrNull(document.seq),
    recordId: String(document._id),
  });
}

/** A changed record may have no form to take words from. */
function wordsOf(document: RecordDocument): string[] | null {
  try {
    return searchWordsOf(toRecord(document));
  } catch {
    return null;
  }
}

/** What stands beside a head and is covered by no signature: from its subtrees the next one is made. */
export function checkHeadDocument(document: HeadDocument, findings: Findings): void {
  if (document._id === headIdOf(document) && subtreesHold(document)) return;
  findings.add('head-changed', 'What is stored beside the head, its id or its subtrees, was changed.', {
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

/** What was tampered with may be anything. */
function numberOrNull(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}
