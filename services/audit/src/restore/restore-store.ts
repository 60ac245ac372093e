import { RESTORES_COLLECTION, type RestoreDocument } from '@tollgate/contracts/audit/restore';
import type { Connection } from 'mongoose';

/** How long an instance has for the logs of all teams before another one continues. */
const LEASE_MS = 60_000;

/** The restores that an operator declared with `tollgate restore`. */
export interface RestoreStore {
  /** Claims the oldest restore that is not recorded in all logs. Null when there is none, or another instance has it. */
  claim(now: Date): Promise<RestoreDocument | null>;
  /** Keeps a claimed restore for longer. */
  keep(restore: RestoreDocument, now: Date): Promise<void>;
  /** Every log has its record. */
  complete(restore: RestoreDocument, now: Date): Promise<void>;
  /** Another instance may continue now. */
  release(restore: RestoreDocument): Promise<void>;
}

export function createRestoreStore(connection: Connection): RestoreStore {
  const collection = connection
    .getClient()
    .db(connection.name)
    .collection<RestoreDocument>(RESTORES_COLLECTION);
  const set = async ({ _id }: RestoreDocument, fields: Partial<RestoreDocument>) => {
    await collection.updateOne({ _id }, { $set: fields });
  };
  const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);
  return {
    claim: (now) =>
      collection.findOneAndUpdate(
        { recorded_at: null, $or: [{ leased_until: null }, { leased_until: { $lte: now } }] },
        { $set: { leased_until: leaseFrom(now) } },
        { sort: { _id: 1 } },
      ),
    keep: (restore, now) => set(restore, { leased_until: leaseFrom(now) }),
    complete: (restore, now) => set(restore, { recorded_at: now }),
    release: (restore) => set(restore, { leased_until: null }),
  };
}
