import type { Context } from '../context.ts';
import { isSealed } from '../records/record-document.ts';
import { checkRecordDocument, isPlainJson, type LogCheck } from './check-documents.ts';

const PAGE = 200;

/** Checks the records that no tree head covers yet, by their seals and numbers only. */
export async function checkTail(
  { records, publicKeys }: Context,
  { teamId, size, findings, progress, signal }: LogCheck,
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
      if (!isPlainJson(document) || !isSealed(document, publicKeys)) {
        const place = { seq, record_id: String(document._id) };
        findings.add('record-changed', 'The record differs from the one that the service wrote.', place);
      }
      checkRecordDocument(document, findings);
      progress.records_checked += 1;
      expected = seq + 1;
    }
    if (page.length < PAGE) return;
    from = expected;
  }
}
