import type { SigningKey, VerifyingKey } from '@tollgate/audit-log/keys';
import { recordLeaf } from '@tollgate/audit-log/record-leaf';
import { sealHolds } from '@tollgate/audit-log/seal';
import { LogCorrupted } from '../heads/create-head.ts';
import { type RecordDocument, sealRecord, toRecord } from '../records/record-document.ts';
import type { RecordStore } from '../records/record-store.ts';

const PAGE = 200;

export interface ClosedGaps {
  /** Number of the last record. */
  size: number;
  /** How many records got another number. */
  renumbered: number;
}

/**
 * Renumbers the records after the last tree head, which no signature covers together yet, so that they follow it without
 * a gap. A record that this service did not write is never sealed again: throws LogCorrupted.
 */
export async function closeGaps(
  deps: {
    records: Pick<RecordStore, 'listBySeq' | 'renumber'>;
    key: SigningKey;
    publicKeys: readonly VerifyingKey[];
  },
  teamId: string,
  size: number,
): Promise<ClosedGaps> {
  const { records, key, publicKeys } = deps;
  let renumbered = 0;
  let expected = size + 1;
  for (;;) {
    const page = await records.listBySeq(teamId, {
      from: expected,
      upTo: Number.MAX_SAFE_INTEGER,
      limit: PAGE,
    });
    for (const document of page) {
      if (document.seq > expected) {
        requireSealed(document, publicKeys);
        const replacement = sealRecord({ ...toRecord(document), seq: expected }, key);
        // If not replaced, another instance appended meanwhile, and the next page has this number again.
        if (!(await records.renumber(document, replacement))) break;
        renumbered += 1;
      }
      expected += 1;
    }
    if (page.length === 0) return { size: expected - 1, renumbered };
  }
}

function requireSealed(document: RecordDocument, publicKeys: readonly VerifyingKey[]): void {
  const isWritten =
    recordLeaf(toRecord(document)) === document.leaf_hash &&
    sealHolds(document.leaf_hash, document.seal, publicKeys);
  if (!isWritten)
    throw new LogCorrupted(document.team_id, `record ${document.seq} (${document._id}) was changed`);
}
