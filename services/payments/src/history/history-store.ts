import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentStatus } from '@tollgate/contracts/payment';
import type { Connection } from 'mongoose';
import { HISTORY_INDEXES, type HistoryIndex, historyKey } from './history-indexes.ts';
import type { Place } from './history-place.ts';
import type { ListedPayment } from './payment-detail.ts';

/** A stretch of one index. */
export interface HistoryScan {
  teamId: string;
  environment: Environment;
  index: HistoryIndex;
  /** What the payments have at the index's path; null for the index that has none. */
  value: string | null;
  /** Inclusive. */
  from: Place;
  /** Exclusive, and behind `from`. */
  to: Place;
  newestFirst: boolean;
  /** Index keys to examine at most: each is one payment. */
  limit: number;
}

export interface SummaryScan {
  teamId: string;
  environment: Environment;
  applicationId: string | null;
  /** Both inclusive. */
  from: Date;
  to: Date;
  bucket: 'hour' | 'day';
  /** Only the newest so many are counted. */
  limit: number;
}

/** Payments of one status, currency and time. */
export interface CountedPayments {
  status: PaymentStatus;
  currency: string;
  /** Start of the bucket. */
  at: Date;
  payments: number;
  /** Minor units. */
  amount: number;
  oldest: Date;
}

const READ_AT_ONCE = 250;
/** Metadata can be larger than all else together, and a list shows neither it nor the keys. */
const NOT_LISTED = { metadata: 0, create_key: 0, cancel_key: 0, 'settlement.decision': 0 } as const;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/**
 * What members ask about all payments of their team. Every query starts with team and environment, and names its index: no
 * planner, on no statistics, can take another that would read more.
 */
export function createHistoryStore(connection: Connection) {
  const collection = connection.collection<ListedPayment>('payments');

  return {
    /**
     * Payments in the order of an index. Its keys are bounded as wholes (`min`, `max`): a condition on time and id apart
     * would examine, on every page, all payments of the same millisecond again.
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
        projection: NOT_LISTED,
      });
    },

    /** The payments of a period, counted by status, currency and bucket (UTC). */
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
                  at: { $dateTrunc: { date: '$created_at', unit: bucket } },
                },
                payments: { $sum: 1 },
                amount: { $sum: '$amount' },
                oldest: { $min: '$created_at' },
              },
            },
            { $replaceWith: { $mergeObjects: ['$$ROOT', '$_id'] } },
          ],
          { hint: index.name },
        )
        .toArray();
    },
  };
}

function keyEnd({ createdAt, id }: Place) {
  return { created_at: createdAt, _id: id };
}
