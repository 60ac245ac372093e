import { DAY_S, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** A payment whose personal data was erased. */
export interface Erasure {
  /** The payment's id. */
  _id: string;
  team_id: string;
  /** RFC 3339. */
  erased_at: string;
}

interface StoredErasure extends Erasure {
  noted_at: Date;
  /** Absent once it was repeated. */
  repeat_at?: Date;
}

/** Longer than a message can arrive late: the dead letters are kept for 30 days. */
const KEPT_S = 60 * DAY_S;
/** Attempts that were in flight have recorded their responses by then. */
const REPEAT_AFTER_MS = MINUTE_MS;

export const ERASURES = 'erasures';

export const ERASURE_INDEXES: readonly IndexDeclaration[] = [
  { key: { noted_at: 1 }, expireAfterSeconds: KEPT_S, purpose: 'Deletes what no late message can need' },
  {
    key: { repeat_at: 1 },
    partialFilterExpression: { repeat_at: { $exists: true } },
    purpose: 'Erasures to repeat after attempts that were in flight',
  },
];

/** The payments that were erased, so that an earlier event of theirs that arrives late is erased, too. */
export function createErasureStore(connection: Connection) {
  const collection = connection.collection<StoredErasure>(ERASURES);

  return {
    async note(erasures: readonly Erasure[], now: Date): Promise<void> {
      if (erasures.length === 0) return;
      const times = { noted_at: now, repeat_at: new Date(now.getTime() + REPEAT_AFTER_MS) };
      await collection.bulkWrite(
        erasures.map(({ _id, team_id, erased_at }) => ({
          updateOne: {
            filter: { _id },
            update: { $setOnInsert: { team_id, erased_at, ...times } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** The erasures of these payments. */
    async findOfPayments(paymentIds: readonly string[]): Promise<Erasure[]> {
      if (paymentIds.length === 0) return [];
      return collection.find({ _id: { $in: [...paymentIds] } }).toArray();
    },

    findDue: (now: Date, limit: number): Promise<Erasure[]> =>
      collection.find({ repeat_at: { $lte: now } }, { limit }).toArray(),

    async markRepeated({ _id }: Erasure): Promise<void> {
      await collection.updateOne({ _id }, { $unset: { repeat_at: 1 } });
    },
  };
}
