import { DAY_S, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** A payment whose personal data was erased. */
export interface Erasure {
  paymentId: string;
  teamId: string;
  /** RFC 3339. */
  erasedAt: string;
}

interface ErasureDocument {
  /** The payment's id. */
  _id: string;
  team_id: string;
  erased_at: string;
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

export type ErasureStore = ReturnType<typeof createErasureStore>;

/** The payments that were erased, so that an earlier event of theirs that arrives late is erased, too. */
export function createErasureStore(connection: Connection) {
  const collection = connection.collection<ErasureDocument>(ERASURES);

  return {
    async note(erasures: readonly Erasure[], now: Date): Promise<void> {
      if (erasures.length === 0) return;
      const times = { noted_at: now, repeat_at: new Date(now.getTime() + REPEAT_AFTER_MS) };
      await collection.bulkWrite(
        erasures.map(({ paymentId, teamId, erasedAt }) => ({
          updateOne: {
            filter: { _id: paymentId },
            update: { $setOnInsert: { team_id: teamId, erased_at: erasedAt, ...times } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** The erasures of these payments. */
    async findOfPayments(paymentIds: readonly string[]): Promise<Erasure[]> {
      if (paymentIds.length === 0) return [];
      return (await collection.find({ _id: { $in: [...paymentIds] } }).toArray()).map(toErasure);
    },

    async findDue(now: Date, limit: number): Promise<Erasure[]> {
      return (await collection.find({ repeat_at: { $lte: now } }, { limit }).toArray()).map(toErasure);
    },

    async markRepeated({ paymentId }: Erasure): Promise<void> {
      await collection.updateOne({ _id: paymentId }, { $unset: { repeat_at: 1 } });
    },
  };
}

function toErasure({ _id, team_id, erased_at }: ErasureDocument): Erasure {
  return { paymentId: _id, teamId: team_id, erasedAt: erased_at };
}
