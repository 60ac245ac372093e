import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import { leafHash } from './hash.ts';

/**
 * Hash of a record as a leaf of its team's tree. Covers every member of the record, including `seq` and times.
 * Hexadecimal.
 */
export function recordLeaf(record: AuditRecord): string {
  return leafHash(canonicalJson(record));
}
