import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealHolds, sealLeaf } from '@tollgate/audit-log/seal';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditSeal } from '@tollgate/contracts/audit/audit-log';
import { searchWordsOf } from './search-terms.ts';

/** A record with its proof. All members except `leaf_hash`, `seal`, and `words` are the record itself. */
export interface RecordDocument extends Omit<AuditRecord, 'id'> {
  _id: string;
  leaf_hash: string;
  seal: AuditSeal;
  /** See `searchWordsOf`. */
  words: string[];
}

export function sealRecord(record: AuditRecord, key: SigningKey): RecordDocument {
  const { id, ...members } = record;
  const leafHash = recordLeaf(record);
  return {
    _id: id,
    ...members,
    leaf_hash: leafHash,
    seal: sealLeaf(leafHash, key),
    words: searchWordsOf(record),
  };
}

/** Whether the document is as the service wrote it: only the audit service can seal a record. */
export function isSealed(document: RecordDocument, publicKeys: readonly VerifyingKey[]): boolean {
  try {
    const leafHash = recordLeaf(toRecord(document));
    return leafHash === document.leaf_hash && sealHolds(leafHash, document.seal, publicKeys);
  } catch {
    // It lacks a seal, or has a value that no record has.
    return false;
  }
}

/** The record in a document, including any added members, so that the hash check detects them. */
export function toRecord(document: RecordDocument): AuditRecord {
  const { _id, leaf_hash: _leafHash, seal: _seal, words: _words, ...members } = document;
  return { id: _id, ...members };
}
