import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { DeliveryStatus } from '@tollgate/contracts/webhooks/webhook';
import { idRange } from '@tollgate/store/id-range';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection, mongo } from 'mongoose';
import type { Erasure } from '../erasure/erasure-store.ts';
import { toAttempt } from './attempt-document.ts';
import type { Attempt, Delivery } from './delivery.ts';
import {
  type DeliveryDocument,
  DUE_OF_ENDPOINT_INDEX,
  deliverySchema,
  EARLIEST,
  RARE_STATUSES,
  rareIndexName,
  toDelivery,
  toDocument,
} from './delivery-document.ts';

export interface DeliveryFilter {
  applicationId: string | undefined;
  environment: Environment | undefined;
  endpointId: string | undefined;
  eventId: string | undefined;
  paymentId: string | undefined;
  eventType: PaymentEventType | undefined;
  status: DeliveryStatus | undefined;
  createdFrom: Date | undefined;
  createdTo: Date | undefined;
}

/** Deliveries of one endpoint, as a member names them. */
export interface EndpointScope {
  teamId: string;
  endpointId: string;
}

export interface DeliveryStore {
  /** Inserts the deliveries whose event and endpoint have none yet. Resolves to the inserted ones. */
  insertMissing(deliveries: Delivery[]): Promise<Delivery[]>;
  find(teamId: string, deliveryId: string): Promise<Delivery | null>;
  findAttempts(teamId: string, deliveryId: string): Promise<Attempt[]>;
  list(teamId: string, filter: DeliveryFilter, request: PageRequest): Promise<Page<Delivery>>;
  /** Lists pending deliveries of these endpoints that match the filter. Null when there are so many that `list` is faster. */
  listFewPending(
    teamId: string,
    endpointIds: string[],
    filter: DeliveryFilter,
    request: PageRequest,
  ): Promise<Page<Delivery> | null>;
  /** Newest first. */
  listOfEvent(teamId: string, eventId: string, limit: number): Promise<Delivery[]>;
  /** Stores a member's decision with its audit entry. Null when the delivery has changed since `before` was read. */
  decide(
    before: Delivery,
    change: Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>,
    audit: SignedAuditEntry,
  ): Promise<Delivery | null>;
  /** Makes deliveries with this status, created since then, pending and due now. Resolves to their number. */
  resume(scope: EndpointScope, status: 'failed' | 'skipped', since: Date, now: Date): Promise<number>;
  /**
   * Cancels or skips all pending deliveries; resolves to their number. An attempt in flight is not recorded when its delivery is
   * canceled. When it is skipped, a final result is still recorded.
   */
  endPending(scope: EndpointScope, status: 'skipped' | 'canceled'): Promise<number>;
  /** Erases what receivers responded to events of a payment. */
  eraseResponsesOfPayment(erasure: Pick<Erasure, 'teamId' | 'paymentId'>): Promise<void>;
  countPending(scope: EndpointScope): Promise<number>;
  /** Whether a delivery of the endpoint is stored. */
  hasAny(scope: EndpointScope): Promise<boolean>;
  /** Outcomes of the attempts of the newest deliveries since then. */
  sampleAttempts(
    scope: EndpointScope,
    since: Date,
    limit: number,
  ): Promise<Pick<Attempt, 'error' | 'durationMs'>[][]>;
}

const WITHOUT_LOG = { attempts: 0, outbox: 0 } as const;
/** Pending deliveries that one page may read. */
const FEW = 1_000;

export function createDeliveryStore(connection: Connection): DeliveryStore {
  const model = connection.model<DeliveryDocument>('Delivery', deliverySchema);
  const collection = connection.collection<DeliveryDocument>('deliveries');

  function listBy(
    hint: string | typeof DUE_OF_ENDPOINT_INDEX | undefined,
    wanted: mongo.Filter<DeliveryDocument>,
    { createdFrom: from, createdTo: to }: DeliveryFilter,
    request: PageRequest,
  ): Promise<Page<Delivery>> {
    return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
      const ids = { ...idRange('delivery', { from, to }), ...filter._id };
      const documents = await collection
        .find(
          // An empty condition on `_id` would match nothing.
          { ...wanted, ...(Object.keys(ids).length > 0 && { _id: ids }) },
          { projection: WITHOUT_LOG, sort, limit, maxTimeMS: QUERY_TIME_MS, ...(hint && { hint }) },
        )
        .toArray();
      return documents.map(toDelivery);
    });
  }

  /** False when an attempt was recorded since the read. */
  async function eraseResponses(delivery: Pick<DeliveryDocument, '_id' | 'team_id'>): Promise<boolean> {
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
    insertMissing: (deliveries) => insertMissing(collection, deliveries, toDocument),

    async find(teamId, deliveryId) {
      const document = await model.findOne({ _id: deliveryId, team_id: teamId }, WITHOUT_LOG).lean();
      return document && toDelivery(document);
    },

    async findAttempts(teamId, deliveryId) {
      const document = await model.findOne({ _id: deliveryId, team_id: teamId }, { attempts: 1 }).lean();
      return document?.attempts.map(toAttempt) ?? [];
    },

    list: (teamId, wanted, request) =>
      listBy(rareHintOf(wanted), { team_id: teamId, ...filterOf(wanted) }, wanted, request),

    async listFewPending(teamId, endpointIds, wanted, request) {
      const pending = {
        team_id: teamId,
        endpoint_id: { $in: endpointIds },
        next_attempt_at: { $gt: EARLIEST },
      };
      const count = await collection.countDocuments(pending, {
        hint: DUE_OF_ENDPOINT_INDEX,
        limit: FEW,
        maxTimeMS: QUERY_TIME_MS,
      });
      if (count === FEW) return null;
      const narrowed = { ...filterOf(wanted), ...pending };
      return listBy(DUE_OF_ENDPOINT_INDEX, narrowed, wanted, request);
    },

    async listOfEvent(teamId, eventId, limit) {
      const documents = await model
        .find({ event_id: eventId, team_id: teamId }, WITHOUT_LOG)
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return documents.map(toDelivery);
    },

    async decide(before, change, audit) {
      const document = await model
        .findOneAndUpdate(
          { _id: before.id, team_id: before.teamId, fence: before.fence, status: before.status },
          {
            $set: {
              status: change.status,
              round_failures: change.roundFailures,
              next_attempt_at: change.nextAttemptAt,
            },
            $inc: { fence: 1 },
            $push: { outbox: audit },
          },
          { returnDocument: 'after', projection: WITHOUT_LOG },
        )
        .lean();
      return document && toDelivery(document);
    },

    async resume({ teamId, endpointId }, status, since, now) {
      const { modifiedCount } = await collection.updateMany(
        {
          team_id: teamId,
          endpoint_id: endpointId,
          status,
          _id: idRange('delivery', { from: since }),
          created_at: { $gte: since },
        },
        { $set: { status: 'pending', round_failures: 0, next_attempt_at: now }, $inc: { fence: 1 } },
        { hint: rareIndexName(status) },
      );
      return modifiedCount;
    },

    async endPending(scope, status) {
      const { modifiedCount } = await collection.updateMany(
        pendingOf(scope),
        { $set: { status, next_attempt_at: null }, $inc: { fence: status === 'canceled' ? 1 : 0 } },
        { hint: DUE_OF_ENDPOINT_INDEX },
      );
      return modifiedCount;
    },

    async eraseResponsesOfPayment({ teamId, paymentId }) {
      const ofPayment = { team_id: teamId, payment_id: paymentId, attempt_count: { $gt: 0 } };
      for await (const { _id } of collection.find(ofPayment, { projection: { _id: 1 } })) {
        let isErased = false;
        while (!isErased) isErased = await eraseResponses({ _id, team_id: teamId });
      }
    },

    countPending(scope) {
      return collection.countDocuments(pendingOf(scope), {
        hint: DUE_OF_ENDPOINT_INDEX,
        maxTimeMS: QUERY_TIME_MS,
      });
    },

    async hasAny({ teamId, endpointId }) {
      return (await model.exists({ team_id: teamId, endpoint_id: endpointId })) !== null;
    },

    async sampleAttempts({ teamId, endpointId }, since, limit) {
      const documents = await collection
        .find(
          { team_id: teamId, endpoint_id: endpointId },
          {
            projection: {
              created_at: 1,
              'attempts.error': 1,
              'attempts.duration_ms': 1,
            },
            maxTimeMS: QUERY_TIME_MS,
          },
        )
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      // Not in the query, which would read all deliveries of the endpoint when few are recent.
      return documents
        .filter(({ created_at }) => created_at >= since)
        .map(({ attempts }) =>
          attempts.map(({ error, duration_ms }) => ({ error, durationMs: duration_ms })),
        );
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
function pendingOf({ teamId, endpointId }: EndpointScope) {
  return {
    team_id: teamId,
    endpoint_id: endpointId,
    status: 'pending' as const,
    next_attempt_at: { $gt: EARLIEST },
  };
}

function filterOf(wanted: DeliveryFilter): mongo.Filter<DeliveryDocument> {
  const { createdFrom, createdTo } = wanted;
  const createdAt = { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lt: createdTo }) };
  const equal = {
    application_id: wanted.applicationId,
    environment: wanted.environment,
    endpoint_id: wanted.endpointId,
    event_id: wanted.eventId,
    payment_id: wanted.paymentId,
    event_type: wanted.eventType,
    status: wanted.status,
  };
  return {
    ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)),
    ...((createdFrom ?? createdTo) && { created_at: createdAt }),
  };
}

/** With an event or a payment, the planner finds an index with even fewer entries. */
function rareHintOf({ status, eventId, paymentId }: DeliveryFilter): string | undefined {
  const rare = RARE_STATUSES.find((one) => one === status);
  return rare && eventId === undefined && paymentId === undefined ? rareIndexName(rare) : undefined;
}
