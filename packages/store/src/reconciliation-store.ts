import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

interface ReconciliationDocument {
  _id: string;
  /** Every event before this time, on payments' clock, has been processed. Null before the first run. */
  reconciled_until: Date | null;
  /** Until this time, no other instance starts a run. */
  claimed_until: Date;
  /** When the next run is due. */
  due_at: Date;
}

/** The progress of reconciling the events of payments: one document, shared by all instances. */
export interface ReconciliationStore {
  /** Claims a run. Null when another instance has claimed one, or when none is due, unless it `isUrgent`. */
  claim(at: { now: Date; until: Date; isUrgent: boolean }): Promise<{ reconciledUntil: Date | null } | null>;
  /** Records the progress of the run, which never decreases, and extends the claim. */
  advance(reconciledUntil: Date | null, claimedUntil: Date): Promise<void>;
  /** Ends the run. The next one is due at `dueAt`. */
  release(now: Date, dueAt: Date): Promise<void>;
}

const schema = new Schema<ReconciliationDocument>(
  {
    _id: { type: String, required: true },
    reconciled_until: { type: Date, default: null },
    claimed_until: { type: Date, required: true },
    due_at: { type: Date, required: true },
  },
  { collection: 'reconciliations', versionKey: false, strict: 'throw', autoCreate: false },
);

const ID = 'payments';
export function createReconciliationStore(connection: Connection): ReconciliationStore {
  const model = connection.model<ReconciliationDocument>('Reconciliation', schema);
  return {
    async claim({ now, until, isUrgent }) {
      try {
        const document = await model
          .findOneAndUpdate(
            { _id: ID, claimed_until: { $lte: now }, ...(!isUrgent && { due_at: { $lte: now } }) },
            { $set: { claimed_until: until }, $setOnInsert: { due_at: now } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
        return document && { reconciledUntil: document.reconciled_until ?? null };
      } catch (error) {
        // The document exists and is claimed or not due: the upsert matched nothing and cannot insert it again.
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },

    async advance(reconciledUntil, claimedUntil) {
      await model.updateOne(
        { _id: ID },
        {
          $set: { claimed_until: claimedUntil },
          ...(reconciledUntil && { $max: { reconciled_until: reconciledUntil } }),
        },
      );
    },

    async release(now, dueAt) {
      await model.updateOne({ _id: ID }, { $set: { claimed_until: now, due_at: dueAt } });
    },
  };
}
