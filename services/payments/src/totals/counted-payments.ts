import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Connection } from 'mongoose';
import { type PaymentDocument, succeededAtOf } from '../lifecycle/payment.ts';
import { afterPosition, type ChangePosition } from '../store/change-position.ts';
import { HISTORY_INDEXES } from '../store/history-indexes.ts';
import { ownerOf } from '../store/payment-owner.ts';
import type { Basis, TotalRow } from './roll-up.ts';

const CHANGES_INDEX = { updated_at: 1, _id: 1 } as const;
/** What totals need of a changed payment. */
const COUNTED_FIELDS = {
  team_id: 1,
  application_id: 1,
  environment: 1,
  status: 1,
  created_at: 1,
  updated_at: 1,
  succeeded_at: 1,
  'history.type': 1,
  'history.occurred_at': 1,
  'history.is_erasure': 1,
} as const;

export type ChangedPayment = Pick<
  PaymentDocument,
  | '_id'
  | 'team_id'
  | 'application_id'
  | 'environment'
  | 'status'
  | 'created_at'
  | 'updated_at'
  | 'succeeded_at'
  | 'history'
>;

export interface CountedPeriod {
  teamId: string;
  environment: Environment;
  basis: Basis;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** The rows are those of each of these, in UTC. */
  unit: 'hour' | 'day';
}

/** Rows of one hour or day. */
export type CountedRow = TotalRow & { at: Date };

export type CountedPayments = ReturnType<typeof createCountedPayments>;

/** Counts payments, and finds those that changed, for the totals. */
export function createCountedPayments(connection: Connection) {
  const collection = connection.collection<PaymentDocument>('payments');
  return {
    /** Counts the payments of a period one by one. */
    async count(
      { teamId, environment, basis, from, to, unit }: CountedPeriod,
      maxTimeMS: number,
    ): Promise<CountedRow[]> {
      const [index, time] =
        basis === 'created'
          ? ([HISTORY_INDEXES.all, 'created_at'] as const)
          : ([HISTORY_INDEXES.succeeded, 'succeeded_at'] as const);
      return collection
        .aggregate<CountedRow>(
          [
            { $match: { team_id: teamId, environment, [time]: { $gte: from, $lt: to } } },
            {
              $group: {
                _id: {
                  application_id: '$application_id',
                  currency: '$currency',
                  status: '$status',
                  failure_code: { $ifNull: ['$failure.code', null] },
                  at: { $dateTrunc: { date: `$${time}`, unit } },
                },
                payments: { $sum: 1 },
                amount: { $sum: '$amount' },
              },
            },
            { $replaceWith: { $mergeObjects: ['$$ROOT', '$_id'] } },
          ],
          { hint: index.name, maxTimeMS },
        )
        .toArray();
    },

    /** Used by background work over all teams: payments by the time of their last change, after a position. */
    changesAfter: (position: ChangePosition | null, until: Date, limit: number): Promise<ChangedPayment[]> =>
      collection
        .find<ChangedPayment>(
          {
            updated_at: { ...(position && { $gte: position.updatedAt }), $lt: until },
            ...(position && { $or: afterPosition(position) }),
          },
          { hint: CHANGES_INDEX, sort: CHANGES_INDEX, limit, projection: COUNTED_FIELDS },
        )
        .toArray(),

    /** The payments of a team that changed since then, in no order. */
    changesOfTeam: (
      team_id: string,
      environment: Environment,
      since: Date,
      maxTimeMS: number,
    ): Promise<ChangedPayment[]> =>
      collection
        .find<ChangedPayment>(
          { team_id, environment, updated_at: { $gte: since } },
          { hint: CHANGES_INDEX, projection: COUNTED_FIELDS, maxTimeMS },
        )
        .toArray(),

    /** Writes when the payments succeeded where it is missing: an earlier release does not write it. Returns all with it. */
    async withSucceededAt(payments: readonly ChangedPayment[]): Promise<ChangedPayment[]> {
      const missing = payments.flatMap((payment) => {
        // A document that something else has written may have any history.
        const isMissing = !payment.succeeded_at && Array.isArray(payment.history);
        const succeeded_at = isMissing ? succeededAtOf(payment) : null;
        return succeeded_at ? [{ payment, succeeded_at }] : [];
      });
      if (missing.length === 0) return [...payments];
      await collection.bulkWrite(
        missing.map(({ payment, succeeded_at }) => ({
          updateOne: {
            filter: { ...ownerOf(payment), _id: payment._id, status: 'succeeded' as const },
            update: { $set: { succeeded_at } },
          },
        })),
        { ordered: false },
      );
      const found = new Map(missing.map(({ payment, succeeded_at }) => [payment._id, succeeded_at]));
      return payments.map((payment) => {
        const succeeded_at = payment.succeeded_at ?? found.get(payment._id);
        return succeeded_at ? { ...payment, succeeded_at } : payment;
      });
    },
  };
}
