import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { AttemptRecord } from './throttle.ts';

/** Failed attempts as stored in the collection `attempts`, by subject or address. */
interface AttemptDocument {
  _id: string;
  failures: number;
  blocked_until: Date;
  last_attempt_at: Date;
}

export interface ThrottleStore {
  find(key: string): Promise<AttemptRecord | null>;
  /** Stores `after`. False when the record changed since `before` was read (null: no record existed). */
  replace(before: AttemptRecord | null, after: AttemptRecord): Promise<boolean>;
  /** Lowers the count by the counted failure, and removes its block, unless another attempt has set one since. */
  uncount(counted: AttemptRecord): Promise<void>;
  delete(key: string): Promise<void>;
  /** Deletes records without an attempt since. */
  deleteBefore(time: Date): Promise<void>;
}

const schema = new Schema<AttemptDocument>(
  {
    _id: { type: String, required: true },
    failures: { type: Number, required: true },
    blocked_until: { type: Date, required: true },
    last_attempt_at: { type: Date, required: true },
  },
  { collection: 'attempts', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const ATTEMPT_INDEXES: readonly IndexDeclaration[] = [
  { key: { last_attempt_at: 1 }, purpose: 'Finds old attempts to delete' },
];

export function createThrottleStore(connection: Connection): ThrottleStore {
  const model = connection.model<AttemptDocument>('Attempt', schema);

  return {
    async find(key) {
      const document = await model.findOne({ _id: key }).lean();
      return document && toRecord(document);
    },

    async replace(before, after) {
      if (before === null) return insert(after);
      const result = await model.updateOne(toDocument(before), { $set: fieldsOf(after) });
      return result.matchedCount === 1;
    },

    async uncount({ key, blockedUntil, lastAttemptAt }) {
      // A pipeline: an attempt that began later has changed the block, and this one must lower the count all the same.
      const isOwnBlock = { $eq: ['$blocked_until', blockedUntil] };
      const blocked_until = { $cond: [isOwnBlock, lastAttemptAt, '$blocked_until'] };
      await model.updateOne(
        { _id: key, failures: { $gt: 0 } },
        [{ $set: { failures: { $subtract: ['$failures', 1] }, blocked_until } }],
        { updatePipeline: true },
      );
    },

    async delete(key) {
      await model.deleteOne({ _id: key });
    },

    async deleteBefore(time) {
      await model.deleteMany({ last_attempt_at: { $lt: time } });
    },
  };

  async function insert(record: AttemptRecord): Promise<boolean> {
    return wroteUnlessDuplicate(model.create([toDocument(record)]));
  }
}

function fieldsOf({ failures, blockedUntil, lastAttemptAt }: AttemptRecord) {
  return { failures, blocked_until: blockedUntil, last_attempt_at: lastAttemptAt };
}

function toDocument(record: AttemptRecord): AttemptDocument {
  return { _id: record.key, ...fieldsOf(record) };
}

function toRecord(document: AttemptDocument): AttemptRecord {
  return {
    key: document._id,
    failures: document.failures,
    blockedUntil: document.blocked_until,
    lastAttemptAt: document.last_attempt_at,
  };
}
