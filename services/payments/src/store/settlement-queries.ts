import type { Environment } from '@tollgate/contracts/platform/environment';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { FINAL_STATUSES } from '../lifecycle/transitions.ts';
import { batchesOf } from './batches.ts';
import { afterPosition, type ChangePosition } from './change-position.ts';
import { type CountBounds, MEASURED } from './measured.ts';
import type { PaymentCollections } from './payment-collections.ts';

/** Payments that background work looks for: those that are due, expired, stuck, or ended. */
export function settlementQueries({ collection }: PaymentCollections) {
  return {
    /** Used by background work over all applications: the processor's payments that are due, each once. */
    findDue(processor: string, now: Date, batchSize: number): AsyncIterable<PaymentDocument> {
      const due = { 'settlement.processor': processor, 'settlement.due_at': { $lte: now } };
      return collection.find(due, { sort: { 'settlement.due_at': 1 }, batchSize });
    },

    /** Used by background work over all applications: pending payments that expired without a cancellation request. */
    findExpired(now: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const expired = {
        status: 'pending',
        expires_at: { $lte: now },
        'history.type': { $ne: 'payment.cancellation_requested' },
      } as const;
      return batchesOf(collection.find(expired, { sort: { expires_at: 1 }, batchSize }), batchSize);
    },

    /** Used by operators, over all applications: the names of the processors that workers will ask. */
    async processorsWithOpenPayments(): Promise<string[]> {
      return collection.distinct(
        'settlement.processor',
        { 'settlement.due_at': { $exists: true } },
        { maxTimeMS: MEASURED.maxTimeMS },
      );
    },

    /** Used by operators, over all applications: the processor's payments that workers ask about, and those that are stuck. Up to a limit. */
    async countOpen(
      processor: string,
      stuckSince: Date,
      bounds: CountBounds = MEASURED,
    ): Promise<{ open: number; stuck: number }> {
      const due = { 'settlement.processor': processor, 'settlement.due_at': { $exists: true } };
      const stuck = { 'settlement.processor': processor, ...stuckBefore(stuckSince) };
      return {
        open: await collection.countDocuments(due, bounds),
        stuck: await collection.countDocuments(stuck, bounds),
      };
    },

    /** Used by background work over all teams: who has stuck payments at which processor. */
    async teamsWithStuckPayments(stuckSince: Date): Promise<{ processor: string; teamId: string }[]> {
      const found = [];
      for (const processor of await collection.distinct('settlement.processor', stuckBefore(stuckSince))) {
        const teams = await collection.distinct('team_id', {
          'settlement.processor': processor,
          ...stuckBefore(stuckSince),
        });
        found.push(...teams.map((teamId) => ({ processor, teamId })));
      }
      return found;
    },

    async countStuckOfTeam(
      { team_id, environment, processor }: { team_id: string; environment: Environment; processor: string },
      stuckSince: Date,
    ): Promise<number> {
      return collection.countDocuments({
        team_id,
        environment,
        'settlement.processor': processor,
        ...stuckBefore(stuckSince),
      });
    },

    /**
     * Used by background work over all applications: the processor's payments that it started and that ended, or were erased after
     * their end, in the period, by the time of that, after a position.
     */
    async findEnded(
      processor: string,
      { from, to }: { from: Date; to: Date },
      after: ChangePosition | null,
      limit: number,
    ): Promise<PaymentDocument[]> {
      return collection
        .find({
          updated_at: { $gte: after?.updatedAt ?? from, $lt: to },
          ...(after && { $or: afterPosition(after) }),
          status: { $in: FINAL_STATUSES },
          'settlement.processor': processor,
          'settlement.started_at': { $exists: true },
        })
        .sort({ updated_at: 1, _id: 1 })
        .hint({ updated_at: 1, _id: 1 })
        .limit(limit)
        .toArray();
    },
  };
}

/** Payments that workers ask about, and that have been processing since before this time. */
function stuckBefore(time: Date) {
  return {
    'settlement.due_at': { $exists: true },
    status: 'processing',
    updated_at: { $lt: time },
  } as const;
}
