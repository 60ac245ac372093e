import { isDeepStrictEqual } from 'node:util';
import { openTree } from '@tollgate/audit-log/compact-tree';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import { type HeadDocument, headIdOf } from '../heads/head-store.ts';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import { searchWordsOf } from '../records/search-terms.ts';

/** How far a verification got. */
export type LogProgress = Pick<AuditVerification, 'records_checked' | 'records' | 'heads_checked' | 'heads'>;

/** A verification of the part of a log that its last tree head covers. */
export interface LogCheck {
  teamId: string;
  size: number;
  lastNumber: number;
  progress: LogProgress;
  findings: Findings;
  signal: AbortSignal;
}

/** Checks the stored fields of a record that no hash covers: the search words. */
export function checkRecordDocument(document: RecordDocument, findings: Findings): void {
  if (isDeepStrictEqual(document.words, wordsOf(document))) return;
  findings.add('record-changed', 'The stored search words do not match the record.', {
    seq: numberOrNull(document.seq),
    record_id: String(document._id),
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
    head_number: numberOrNull(document.number),
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

/**
 * Whether a value from MongoDB has a JSON type: no dates, binaries, long integers, object ids, or non-finite numbers.
 */
export function isPlainJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlainJson);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainJson);
}
