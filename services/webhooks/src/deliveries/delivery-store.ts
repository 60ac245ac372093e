import type { listDeliveries } from '@tollgate/contracts/webhooks/rpc';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import { idRange } from '@tollgate/store/id-range';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection, mongo } from 'mongoose';
import type { Static } from 'typebox';
import type { Erasure } from '../erasure/erasure-store.ts';
import {
  type Attempt,
  type Delivery,
  DUE_OF_ENDPOINT_INDEX,
  deliverySchema,
  EARLIEST,
  RARE_STATUSES,
  rareIndexName,
  type StoredDelivery,
  WITHOUT_LOG,
} from './delivery.ts';

/** Selects deliveries of a team. An absent field selects all. */
export type DeliveryFilter = Omit<Static<typeof listDeliveries.request>, 'limit' | 'cursor'>;

/** Deliveries of one endpoint of a team. */
export type EndpointScope = Pick<Delivery, 'team_id' | 'endpoint_id'>;

/** Pending deliveries that one page may read. */
const FEW = 1_000;

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export function createDeliveryStore(connection: Connection) {
  const model = connection.model<StoredDelivery>('Delivery', deliverySchema);
  const collection = connection.collection<StoredDelivery>('deliveries');
  const records: AuditedRecords<StoredDelivery> = {
    model,
    noun: 'delivery',
    // The record of an attempt keeps the fence, and if it is retried, the status.
    unchanged: ({ fence, status, attempt_count }) => ({ fence, status, attempt_count }),
  };

  function listBy(
    hint: string | typeof DUE_OF_ENDPOINT_INDEX | undefined,
    { created_from, created_to, ...equal }: DeliveryFilter,
    scope: mongo.Filter<StoredDelivery>,
    request: PageRequest,
  ): Promise<Page<Delivery>> {
    const [from, to] = [dateOf(created_from), dateOf(created_to)];
    return readPage(request, ({ filter, sort, limit }) => {
      const ids = { ...idRange('delivery', { from, to }), ...filter._id };
      return collection
        .find<Delivery>(
          {
            ...equal,
            ...((from ?? to) && { created_at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
            ...scope,
            // An empty condition on `_id` would match nothing.
            ...(Object.keys(ids).length > 0 && { _id: ids }),
          },
          { projection: WITHOUT_LOG, sort, limit, maxTimeMS: QUERY_TIME_MS, ...(hint && { hint }) },
        )
        .toArray();
    });
  }

  /** False when an attempt was recorded since the read. */
  async function eraseResponses(delivery: Pick<Delivery, '_id' | 'team_id'>): Promise<boolean> {
    const found = await collection.findOne(delivery, { projection: { attempts: 1, attempt_count: 1 } });
    if (!found) return true;
    const erased = found.attempts.flatMap(({ response }, index) => (response ? erasedResponse(index) : []));
    if (erased.length === 0) return true;
    const { matchedCount } = await collection.updateOne(
      { ...delivery, attempt_count: found.attempt_count },
      { $set: Object.fromEntries(erased) },
    );
    return matchedCount === 1;
  }

  return {
    ...records,

    /** Inserts the deliveries whose event and endpoint have none yet. Resolves to the inserted ones. */
    insertMissing: (deliveries: StoredDelivery[]) =>
      insertMissing(collection, deliveries, (delivery) => delivery),

    find: async (team_id: string, _id: string): Promise<Delivery | null> =>
      model.findOne({ _id, team_id }, WITHOUT_LOG).lean<Delivery>(),

    async findAttempts(team_id: string, _id: string): Promise<Attempt[]> {
      return (await model.findOne({ _id, team_id }, { attempts: 1 }).lean())?.attempts ?? [];
    },

    list: (team_id: string, wanted: DeliveryFilter, request: PageRequest) =>
      listBy(rareHintOf(wanted), wanted, { team_id }, request),

    /** Lists pending deliveries of these endpoints that match the filter. Null when there are so many that `list` is faster. */
    async listFewPending(
      team_id: string,
      endpointIds: string[],
      wanted: DeliveryFilter,
      request: PageRequest,
    ): Promise<Page<Delivery> | null> {
      const pending = { team_id, endpoint_id: { $in: endpointIds }, next_attempt_at: { $gt: EARLIEST } };
      const count = await collection.countDocuments(pending, {
        hint: DUE_OF_ENDPOINT_INDEX,
        limit: FEW,
        maxTimeMS: QUERY_TIME_MS,
      });
      return count === FEW ? null : listBy(DUE_OF_ENDPOINT_INDEX, wanted, pending, request);
    },

    /** Newest first. */
    listOfEvent: async (team_id: string, event_id: string, limit: number): Promise<Delivery[]> =>
      model.find({ event_id, team_id }, WITHOUT_LOG).sort({ _id: -1 }).limit(limit).lean<Delivery[]>(),

    /** Makes deliveries with this status, created since then, pending and due now. Resolves to their number. */
    async resume(
      scope: EndpointScope,
      status: 'failed' | 'skipped',
      since: Date,
      now: Date,
    ): Promise<number> {
      const { modifiedCount } = await collection.updateMany(
        { ...scope, status, _id: idRange('delivery', { from: since }), created_at: { $gte: since } },
        { $set: { status: 'pending', round_failures: 0, next_attempt_at: now }, $inc: { fence: 1 } },
        { hint: rareIndexName(status) },
      );
      return modifiedCount;
    },

    /**
     * Cancels or skips all pending deliveries; resolves to their number. An attempt in flight is not recorded when its delivery is
     * canceled. When it is skipped, a final result is still recorded.
     */
    async endPending(scope: EndpointScope, status: 'skipped' | 'canceled'): Promise<number> {
      const { modifiedCount } = await collection.updateMany(
        pendingOf(scope),
        { $set: { status, next_attempt_at: null }, $inc: { fence: status === 'canceled' ? 1 : 0 } },
        { hint: DUE_OF_ENDPOINT_INDEX },
      );
      return modifiedCount;
    },

    /** Erases what receivers responded to events of a payment. */
    async eraseResponsesOfPayment({ team_id, _id: payment_id }: Erasure): Promise<void> {
      const ofPayment = { team_id, payment_id, attempt_count: { $gt: 0 } };
      for await (const { _id } of collection.find(ofPayment, { projection: { _id: 1 } })) {
        let isErased = false;
        while (!isErased) isErased = await eraseResponses({ _id, team_id });
      }
    },

    /** Counts the deliveries with this status that `resume` would send, at most `limit`. */
    countSince: (scope: EndpointScope, status: 'failed' | 'skipped', since: Date, limit: number) =>
      collection.countDocuments(
        { ...scope, status, _id: idRange('delivery', { from: since }), created_at: { $gte: since } },
        { hint: rareIndexName(status), limit, maxTimeMS: QUERY_TIME_MS },
      ),

    /** Counts these events that have a delivery to the endpoint. */
    countOfEvents: (scope: EndpointScope, eventIds: string[]) =>
      collection.countDocuments({ ...scope, event_id: { $in: eventIds } }, { maxTimeMS: QUERY_TIME_MS }),

    countPending: (scope: EndpointScope) =>
      collection.countDocuments(pendingOf(scope), { hint: DUE_OF_ENDPOINT_INDEX, maxTimeMS: QUERY_TIME_MS }),

    /** Whether a delivery of the endpoint is stored. */
    async hasAny(scope: EndpointScope): Promise<boolean> {
      return (await model.exists({ ...scope })) !== null;
    },

    /** Outcomes of the attempts of the newest deliveries since then. */
    async sampleAttempts(
      { team_id, endpoint_id }: EndpointScope,
      since: Date,
      limit: number,
    ): Promise<Pick<Attempt, 'error' | 'duration_ms'>[][]> {
      const found = await collection
        .find(
          { team_id, endpoint_id },
          {
            projection: { created_at: 1, 'attempts.error': 1, 'attempts.duration_ms': 1 },
            maxTimeMS: QUERY_TIME_MS,
          },
        )
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      // Not in the query, which would read all deliveries of the endpoint when few are recent.
      return found.filter(({ created_at }) => created_at >= since).map(({ attempts }) => attempts);
    },
  };
}

/** By the index of the attempt, which changes when a further attempt is recorded and the oldest is dropped. */
function erasedResponse(index: number): [path: string, value: unknown][] {
  return [
    [`attempts.${index}.response.body`, ''],
    [`attempts.${index}.response.headers`, []],
  ];
}

/** Matches the index of pending deliveries: few of an endpoint's million deliveries are pending. */
function pendingOf(scope: EndpointScope) {
  return { ...scope, status: 'pending' as const, next_attempt_at: { $gt: EARLIEST } };
}

/** With an event or a payment, the planner finds an index with even fewer entries. */
function rareHintOf({ status, event_id, payment_id }: DeliveryFilter): string | undefined {
  const rare = RARE_STATUSES.find((one) => one === status);
  return rare && event_id === undefined && payment_id === undefined ? rareIndexName(rare) : undefined;
}

function dateOf(time: string | undefined): Date | undefined {
  return time === undefined ? undefined : new Date(time);
}
