import { PoisonMessage } from '@tollgate/bus/consumer';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { canonicalJson, wellFormed } from '@tollgate/contracts/platform/canonical-json';
import { mongo } from 'mongoose';

/**
 * Twice what a change of a webhook URL and its description can need, which are the largest fields. A quarter of a reply,
 * so that every record fits into a page, a proof, and a part of an export.
 */
export const MAX_ENTRY_BYTES = 128 * 1024;
/** MongoDB stores 100 levels. The platform writes fewer than 10. */
const MAX_DEPTH = 50;

/**
 * The entry as the log stores it. Throws PoisonMessage for one that cannot be stored, so that it fails here, alone, and
 * does not fail its whole batch.
 */
export function storableEntry(received: AuditEntry): AuditEntry {
  try {
    const entry = wellFormed(received);
    requireDepth(entry, MAX_DEPTH);
    const bytes = Buffer.byteLength(canonicalJson(entry));
    if (bytes > MAX_ENTRY_BYTES)
      throw new Error(`it has ${bytes} bytes, and the limit is ${MAX_ENTRY_BYTES}`);
    // Rejects names of fields that BSON cannot represent: those with a NUL.
    mongo.BSON.serialize(entry);
    return entry;
  } catch (error) {
    throw new PoisonMessage(`The audit log cannot store the entry: ${(error as Error).message}.`);
  }
}

function requireDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new Error(`it has more than ${MAX_DEPTH} levels`);
  for (const member of Object.values(value)) requireDepth(member, left - 1);
}
