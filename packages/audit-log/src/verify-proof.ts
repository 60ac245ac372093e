import type { ConsistencyProof, InclusionProof } from '@tollgate/contracts/audit/audit-log';
import { consistencyHolds } from './consistency-proof.ts';
import { headSignatureHolds } from './head.ts';
import { inclusionHolds } from './inclusion-proof.ts';
import type { VerifyingKey } from './keys.ts';
import { recordLeaf } from './record-leaf.ts';

/**
 * Returns true if a proof from the API shows that the log contained exactly this record when the service signed the
 * head.
 */
export function inclusionProofHolds(
  { record, index, path, head }: InclusionProof,
  keys: readonly VerifyingKey[],
): boolean {
  const { size, root, team_id } = head;
  return (
    headSignatureHolds(head, keys) &&
    record.team_id === team_id &&
    record.seq === index + 1 &&
    inclusionHolds({ leafHash: recordLeaf(record), index, size, root, path })
  );
}

/**
 * Returns true if a proof from the API shows that the log of the later head starts with the entire log of the earlier
 * one.
 */
export function consistencyProofHolds(
  { from, to, path }: ConsistencyProof,
  keys: readonly VerifyingKey[],
): boolean {
  return (
    headSignatureHolds(from, keys) &&
    headSignatureHolds(to, keys) &&
    from.team_id === to.team_id &&
    consistencyHolds(from, to, path)
  );
}
