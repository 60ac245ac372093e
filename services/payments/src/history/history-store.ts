import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import { HISTORY_INDEXES, type HistoryIndex, historyKey, type IndexValue } from '../store/history-indexes.ts';
import { FIRST_PLACE, type Place } from './history-place.ts';

/** A team's payments in one environment. */
interface Scope {
  teamId: string;
  environment: Environment;
}

/** What gives a payment its place in a history. */
export type PlacedPayment = Pick<ListedPayment, '_id' | 'created_at'>;

/** A range of one index. */
export interface HistoryScan extends Scope {
  index: HistoryIndex;
  /** The payments' values at the index's paths. */
  values: readonly IndexValue[];
  /** Inclusive. */
  from: Place;
  /** Exclusive, and after `from`. */
  to: Place;
  newestFirst: boolean;
  /** Maximum number of index keys to examine; each is one payment. */
  limit: number;
}

/** The payments with any value of a range. */
export interface RangeScan extends Scope {
  index: HistoryIndex;
  stem: readonly IndexValue[];
  /** Inclusive. */
  from: IndexValue;
  /** Exclusive, and above `from`. */
  to: IndexValue;
  /** Maximum number of payments. */
  limit: number;
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
    /** Returns payments with equal values in an index, by its time. */
    scan({ teamId, environment, index, values, from, to, newestFirst, limit }: HistoryScan) {
      const stem = { team_id: teamId, environment, ...valuesAt(index, values) };
      const direction = newestFirst ? -1 : 1;
      const options = {
        hint: index.name,
        limit,
        batchSize: READ_AT_ONCE,
        maxTimeMS: QUERY_TIME_MS,
        projection: NOT_LISTED,
      } as const;
      if (index.isMultikey) {
        // MongoDB does not sort by a field with several values in the order of an index.
        const sort = { created_at: direction, _id: direction } as const;
        return collection.find<ListedPayment>({ ...stem, ...between(from, to) }, { ...options, sort });
      }
      // Whole keys: a condition on the time would examine all payments of the same millisecond again on every page.
      const bounds = { min: { ...stem, ...keyEnd(index, from) }, max: { ...stem, ...keyEnd(index, to) } };
      // A query names the condition of a partial index.
      const indexed = index.time ? { ...stem, [index.time]: { $exists: true } } : stem;
      return collection.find<ListedPayment>(indexed, {
        ...options,
        ...bounds,
        sort: historyKey(index, direction),
      });
    },

    /** Returns these payments, in no order. */
    async findAll({ teamId, environment }: Scope, paymentIds: readonly string[]): Promise<ListedPayment[]> {
      return collection
        .find(
          { team_id: teamId, environment, _id: { $in: [...paymentIds] } },
          { hint: '_id_', maxTimeMS: QUERY_TIME_MS, projection: NOT_LISTED },
        )
        .toArray();
    },

    /** Returns the places of payments with the values of a range, in no useful order. A payment with several of them is there as often. */
    scanRange({ teamId, environment, index, stem, from, to, limit }: RangeScan) {
      const boundary = (value: IndexValue) => ({
        team_id: teamId,
        environment,
        ...valuesAt(index, [...stem, value]),
        ...keyEnd(index, FIRST_PLACE),
      });
      return collection.find<PlacedPayment>(
        { team_id: teamId, environment },
        {
          hint: index.name,
          min: boundary(from),
          max: boundary(to),
          limit,
          batchSize: limit,
          maxTimeMS: QUERY_TIME_MS,
          projection: { created_at: 1 },
        },
      );
    },

    /** The currencies of the payments, by one key of the index each. */
    async currencies({ teamId, environment }: Scope): Promise<string[]> {
      const index = HISTORY_INDEXES.currency;
      const found: string[] = [];
      for (;;) {
        const next = await collection.findOne(
          { team_id: teamId, environment, currency: { $gt: found.at(-1) ?? '' } },
          {
            hint: index.name,
            sort: historyKey(index),
            maxTimeMS: QUERY_TIME_MS,
            projection: { currency: 1 },
          },
        );
        if (next === null) return found;
        found.push(next.currency);
      }
    },

    /** Counts a processor's payments in these statuses, up to a limit. @param unchangedSince null for all */
    async countOpen(
      { teamId, environment, processor }: Scope & { processor: string },
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
  };
}

function valuesAt(
  { paths }: HistoryIndex,
  values: readonly IndexValue[],
): Record<string, IndexValue | undefined> {
  return Object.fromEntries(paths.map((path, at) => [path, values[at]]));
}

/** Meets the places from `from`, inclusive, to `to`, exclusive. */
function between(from: Place, to: Place) {
  return {
    created_at: { $gte: from.at, $lte: to.at },
    $and: [
      { $or: [{ created_at: { $gt: from.at } }, { _id: { $gte: from.id } }] },
      { $or: [{ created_at: { $lt: to.at } }, { _id: { $lt: to.id } }] },
    ],
  };
}

function keyEnd({ time = 'created_at' }: HistoryIndex, { at, id }: Place) {
  return { [time]: at, _id: id };
}
