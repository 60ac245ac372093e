import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentStatus } from '@tollgate/contracts/payment';
import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/processors';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import { HISTORY_INDEXES, type HistoryIndex, historyKey } from '../store/history-indexes.ts';
import type { Place } from './history-place.ts';

/** A range of one index. */
export interface HistoryScan {
  teamId: string;
  environment: Environment;
  index: HistoryIndex;
  /** The payments' value at the index's path; null for the index without a path. */
  value: string | null;
  /** Inclusive. */
  from: Place;
  /** Exclusive, and after `from`. */
  to: Place;
  newestFirst: boolean;
  /** Maximum number of index keys to examine; each is one payment. */
  limit: number;
}

export interface SummaryScan {
  teamId: string;
  environment: Environment;
  applicationId: string | null;
  /** Both bounds are inclusive. */
  from: Date;
  to: Date;
  bucket: 'hour' | 'day';
  /** Maximum number of payments counted, newest first. */
  limit: number;
}

/** Payments with one status, currency, and failure in one time bucket. */
export interface CountedPayments {
  status: PaymentStatus;
  currency: string;
  /** Null unless the payments failed. */
  failureCode: string | null;
  /** Start of the bucket. */
  at: Date;
  payments: number;
  /** Minor units. */
  amount: number;
  oldest: Date;
}

const READ_AT_ONCE = 250;
/** Metadata can be larger than everything else together. Lists show neither metadata nor idempotency keys. */
const NOT_LISTED = {
  metadata: 0,
  create_key: 0,
  cancel_key: 0,
  processor_calls: 0,
  'settlement.decision': 0,
} as const;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/**
 * Members' queries over all payments of their team. Every query starts with team and environment and names its index,
 * so that no planner choice can read more.
 */
export function createHistoryStore(connection: Connection) {
  const collection = connection.collection<ListedPayment>('payments');

  return {
    /**
     * Returns payments in the order of an index. `min` and `max` bound whole index keys: separate conditions on time
     * and id would examine all payments of the same millisecond again on every page.
     */
    scan({ teamId, environment, index, value, from, to, newestFirst, limit }: HistoryScan) {
      const stem = { team_id: teamId, environment, ...(index.path !== null && { [index.path]: value }) };
      return collection.find<ListedPayment>(stem, {
        hint: index.name,
        min: { ...stem, ...keyEnd(from) },
        max: { ...stem, ...keyEnd(to) },
        sort: historyKey(index, newestFirst ? -1 : 1),
        limit,
        batchSize: READ_AT_ONCE,
        maxTimeMS: QUERY_TIME_MS,
        projection: NOT_LISTED,
      });
    },

    /** Counts a processor's payments in these statuses, up to a limit. @param unchangedSince null for all */
    async countOpen(
      { teamId, environment, processor }: { teamId: string; environment: Environment; processor: string },
      statuses: PaymentStatus[],
      unchangedSince: Date | null,
    ): Promise<number> {
      return collection.countDocuments(
        {
          team_id: teamId,
          environment,
          status: { $in: statuses },
          'settlement.processor': processor,
          ...(unchangedSince && { updated_at: { $lt: unchangedSince } }),
        },
        { hint: HISTORY_INDEXES.status.name, limit: MAX_COUNTED_PAYMENTS, maxTimeMS: QUERY_TIME_MS },
      );
    },

    /** Counts the payments of a period by status, currency, failure, and bucket (UTC). */
    async count({ teamId, environment, applicationId, from, to, bucket, limit }: SummaryScan) {
      const index = applicationId === null ? HISTORY_INDEXES.all : HISTORY_INDEXES.application;
      return collection
        .aggregate<CountedPayments>(
          [
            {
              $match: {
                team_id: teamId,
                environment,
                ...(applicationId !== null && { application_id: applicationId }),
                created_at: { $gte: from, $lte: to },
              },
            },
            { $sort: { created_at: -1, _id: -1 } },
            { $limit: limit },
            {
              $group: {
                _id: {
                  status: '$status',
                  currency: '$currency',
                  failureCode: { $ifNull: ['$failure.code', null] },
                  at: { $dateTrunc: { date: '$created_at', unit: bucket } },
                },
                payments: { $sum: 1 },
                amount: { $sum: '$amount' },
                oldest: { $min: '$created_at' },
              },
            },
            { $replaceWith: { $mergeObjects: ['$$ROOT', '$_id'] } },
          ],
          { hint: index.name, maxTimeMS: QUERY_TIME_MS },
        )
        .toArray();
    },
  };
}

function keyEnd({ createdAt, id }: Place) {
  return { created_at: createdAt, _id: id };
}
