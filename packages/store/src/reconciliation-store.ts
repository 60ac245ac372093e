import { type Connection, Schema } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';

interface ReconciliationDocument {
  _id: string;
  /** Every event that payments dates before this has been dealt with; on payments' clock. Null before the first run. */
  reconciled_until: Date | null;
  /** An instance is at it; no other begins before then. */
  claimed_until: Date;
  /** When the next run is due. */
  due_at: Date;
}

/** How far the events of payments were reconciled: one document, shared by all instances. */
export interface ReconciliationStore {
  /** Claims a run. Null when another instance has one, or, unless it `isUrgent`, when none is due. */
  claim(at: { now: Date; until: Date; isUrgent: boolean }): Promise<{ reconciledUntil: Date | null } | null>;
  /** Notes how far the run has come, which never goes back, and prolongs it. */
  advance(reconciledUntil: Date | null, claimedUntil: Date): Promise<void>;
  /** Ends the run; the next one is due then. */
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
        // It is there, and claimed or not due: the upsert found nothing to update and may not insert.
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
