import type { AuditRecord } from '@tollgate/contracts/audit';
import { canonicalJson } from './canonical-json.ts';
import { leafHash } from './hash.ts';

/** The hash of a record as a leaf of its team's tree; it covers every member of the record, `seq` and times included. Hexadecimal. */
export function recordLeaf(record: AuditRecord): string {
  return leafHash(canonicalJson(record));
}
