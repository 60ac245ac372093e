import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { auditEntryDigest } from '@tollgate/security/audit-entry';
import type { Connection } from 'mongoose';

/** An entry that the log cannot store. The dead letters have it as well, where an operator handles it. */
interface Rejection {
  /** Digest of the entry, because another entry may claim its id. */
  _id: string;
  reason: string;
  /** As text, because the entry itself may have no form in the database. */
  entry: string;
  rejected_at: Date;
}

export type RejectionStore = ReturnType<typeof createRejectionStore>;

export function createRejectionStore(connection: Connection) {
  const collection = connection.collection<Rejection>('rejected_entries');
  return {
    async note(entry: AuditEntry, reason: string, at: Date): Promise<void> {
      const rejection = { reason, entry: JSON.stringify(entry), rejected_at: at };
      const digest = auditEntryDigest(entry);
      await collection.updateOne({ _id: digest }, { $setOnInsert: rejection }, { upsert: true });
    },
    /** The entries among these that were rejected. */
    async findRejected<Wanted extends { digest: string }>(wanted: Wanted[]): Promise<Wanted[]> {
      const digests = wanted.map(({ digest }) => digest);
      const found = collection.find({ _id: { $in: digests } }, { projection: { _id: 1 } });
      const rejected = new Set(await found.map(({ _id }) => _id).toArray());
      return wanted.filter(({ digest }) => rejected.has(digest));
    },
  };
}
