import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { type AttemptRecord, attemptSchema } from './throttle.ts';

export const ATTEMPT_INDEXES: readonly IndexDeclaration[] = [
  { key: { last_attempt_at: 1 }, purpose: 'Finds old attempts to delete' },
];

export type ThrottleStore = ReturnType<typeof createThrottleStore>;

export function createThrottleStore(connection: Connection) {
  const model = connection.model<AttemptRecord>('Attempt', attemptSchema);

  return {
    find: async (_id: string): Promise<AttemptRecord | null> => model.findOne({ _id }).lean<AttemptRecord>(),

    /** Stores `after`. False when the record changed since `before` was read (null: no record existed). */
    async replace(before: AttemptRecord | null, after: AttemptRecord): Promise<boolean> {
      if (before === null) return wroteUnlessDuplicate(model.create([after]));
      const { _id, ...fields } = after;
      return (await model.updateOne(before, { $set: fields })).matchedCount === 1;
    },

    /** Lowers the count by the counted failure, and removes its block, unless another attempt has set one since. */
    async uncount(counted: AttemptRecord): Promise<void> {
      // A pipeline: an attempt that began later has changed the block, and this one must lower the count all the same.
      const isOwnBlock = { $eq: ['$blocked_until', counted.blocked_until] };
      const blocked_until = { $cond: [isOwnBlock, counted.last_attempt_at, '$blocked_until'] };
      await model.updateOne(
        { _id: counted._id, failures: { $gt: 0 } },
        [{ $set: { failures: { $subtract: ['$failures', 1] }, blocked_until } }],
        { updatePipeline: true },
      );
    },

    async delete(_id: string): Promise<void> {
      await model.deleteOne({ _id });
    },

    /** Deletes records without an attempt since. */
    async deleteBefore(time: Date): Promise<void> {
      await model.deleteMany({ last_attempt_at: { $lt: time } });
    },
  };
}
