import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Connection } from 'mongoose';

/** A team whose sandbox was reset. */
interface ResetMarkDocument {
  /** The team's id. */
  _id: string;
  /** Events of sandbox payments that were created before this time are not stored any more. */
  created_before: Date;
}

/** Remembers the resets, because messages of deleted payments can arrive late: from a stream, or as a replayed dead letter. */
export function createResetMarks(connection: Connection) {
  const collection = connection.collection<ResetMarkDocument>('sandbox_resets');

  return {
    async note(teamId: string, createdBefore: Date): Promise<void> {
      await collection.updateOne(
        { _id: teamId },
        { $max: { created_before: createdBefore } },
        { upsert: true },
      );
    },

    /** Those of these events whose payments were deleted by a reset of the sandbox. */
    async findDeleted(events: readonly PaymentEvent[]): Promise<PaymentEvent[]> {
      const ofSandbox = events.filter(({ environment }) => environment === 'sandbox');
      if (ofSandbox.length === 0) return [];
      const teamIds = [...new Set(ofSandbox.map(({ team_id }) => team_id))];
      const marks = await collection.find({ _id: { $in: teamIds } }).toArray();
      const before = new Map(marks.map(({ _id, created_before }) => [_id, created_before.getTime()]));
      return ofSandbox.filter(
        ({ team_id, data }) =>
          Date.parse(data.created_at) < (before.get(team_id) ?? Number.NEGATIVE_INFINITY),
      );
    },
  };
}
