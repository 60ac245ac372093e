import { type Connection, Schema } from 'mongoose';

interface ReconciliationDocument {
  _id: string;
  /** Every event that payments dates before this has been fanned out; on payments' clock. Null before the first run. */
  reconciled_until: Date | null;
  /** No other instance begins before then. */
  claimed_until: Date;
}

/** How far the events of payments were reconciled: one document, shared by all instances. */
export interface ReconciliationStore {
  /** Claims a run. Null when another instance has one. */
  claim(at: { now: Date; until: Date }): Promise<{ reconciledUntil: Date | null } | null>;
  /** Never goes back. */
  advance(reconciledUntil: Date): Promise<void>;
  release(now: Date): Promise<void>;
}

const schema = new Schema<ReconciliationDocument>(
  {
    _id: { type: String, required: true },
    reconciled_until: { type: Date, default: null },
    claimed_until: { type: Date, required: true },
  },
  { collection: 'reconciliations', versionKey: false, strict: 'throw', autoCreate: false },
);

const ID = 'payments';
const DUPLICATE_KEY = 11000;

export function createReconciliationStore(connection: Connection): ReconciliationStore {
  const model = connection.model<ReconciliationDocument>('Reconciliation', schema);
  return {
    async claim({ now, until }) {
      try {
        const document = await model
          .findOneAndUpdate(
            { _id: ID, claimed_until: { $lte: now } },
            { $set: { claimed_until: until } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean();
        return document && { reconciledUntil: document.reconciled_until ?? null };
      } catch (error) {
        // It is there, and claimed: the upsert found nothing to update and may not insert.
        if ((error as { code?: unknown }).code === DUPLICATE_KEY) return null;
        throw error;
      }
    },

    async advance(reconciledUntil) {
      await model.updateOne({ _id: ID }, { $max: { reconciled_until: reconciledUntil } });
    },

    async release(now) {
      await model.updateOne({ _id: ID }, { $set: { claimed_until: now } });
    },
  };
}
