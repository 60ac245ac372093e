import type { VerifyingKey } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealHolds } from '@tollgate/audit-log/seal';
import type { Findings } from '@tollgate/audit-log/verify/findings';
import { type RecordDocument, toRecord } from '../records/record-document.ts';
import type { RecordStore } from '../records/record-store.ts';
import { checkRecordDocument } from './check-documents.ts';
import type { LogPlaces } from './log-places.ts';
import type { LogProgress } from './log-progress.ts';
import { isPlainJson } from './plain-json.ts';

const PAGE = 200;

export interface TailCheck {
  records: Pick<RecordStore, 'listBySeq'>;
  publicKeys: readonly VerifyingKey[];
  findings: Findings;
  progress: LogProgress;
  signal: AbortSignal;
}

/** Checks the records that no tree head covers yet, by their seals and numbers only. */
export async function checkTail(
  { records, publicKeys, findings, progress, signal }: TailCheck,
  { teamId, size }: LogPlaces,
  endOfLog: number,
): Promise<void> {
  let expected = size + 1;
  for (let from = expected; from <= endOfLog; ) {
    const page = await records.listBySeq(teamId, { from, upTo: endOfLog, limit: PAGE });
    signal.throwIfAborted();
    for (const document of page) {
      const { seq } = document;
      if (seq > expected) {
        findings.add('record-missing', `Records ${expected} to ${seq - 1} are missing.`, { seq: expected });
      }
      if (!isWritten(document, publicKeys)) {
        const place = { seq, recordId: String(document._id) };
        findings.add('record-changed', 'The record differs from the one that the service wrote.', place);
      }
      checkRecordDocument(document, findings);
      progress.recordsChecked += 1;
      expected = seq + 1;
    }
    if (page.length < PAGE) return;
    from = expected;
  }
}

function isWritten(document: RecordDocument, publicKeys: readonly VerifyingKey[]): boolean {
  try {
    return (
      isPlainJson(document) &&
      recordLeaf(toRecord(document)) === document.leaf_hash &&
      sealHolds(document.leaf_hash, document.seal, publicKeys)
    );
  } catch {
    return false;
  }
}
