import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Environment } from '@tollgate/contracts/environment';
import type { PaymentEventType } from '@tollgate/contracts/events';
import type { DeliveryStatus } from '@tollgate/contracts/webhook';
import { idRange } from '@tollgate/store/id-range';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { Connection, mongo } from 'mongoose';
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
  /** Inserts those that are not there yet, by event and endpoint; resolves to the ones it inserted. */
  insertMissing(deliveries: Delivery[]): Promise<Delivery[]>;
  find(teamId: string, deliveryId: string): Promise<Delivery | null>;
  findAttempts(teamId: string, deliveryId: string): Promise<Attempt[]>;
  list(teamId: string, filter: DeliveryFilter, request: PageRequest): Promise<Page<Delivery>>;
  /** Of what is pending for these endpoints, which `filter` narrows further; null when so many are that the whole list is the shorter way. */
  listFewPending(
    teamId: string,
    endpointIds: string[],
    filter: DeliveryFilter,
    request: PageRequest,
  ): Promise<Page<Delivery> | null>;
  /** Newest first. */
  listOfEvent(teamId: string, eventId: string, limit: number): Promise<Delivery[]>;
  /** A member's decision, with its audit entry, unless the delivery has changed since `before` was read: then null. */
  decide(
    before: Delivery,
    change: Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>,
    audit: AuditEntry,
  ): Promise<Delivery | null>;
  /** Those of this status created since then are pending again, due now; resolves to how many. */
  resume(scope: EndpointScope, status: 'failed' | 'skipped', since: Date, now: Date): Promise<number>;
  /**
   * What is pending is sent no more. An attempt under way loses its fence and is not recorded where it is canceled; skipped, it is what the attempt makes of it,
   * unless that is another attempt.
   */
  endPending(scope: EndpointScope, status: 'skipped' | 'canceled'): Promise<number>;
  countPending(scope: EndpointScope): Promise<number>;
  /** Attempts of the newest deliveries since then, without what was sent and answered. */
  sampleAttempts(
    scope: EndpointScope,
    since: Date,
    limit: number,
  ): Promise<Pick<Attempt, 'error' | 'durationMs'>[][]>;
}

const WITHOUT_LOG = { attempts: 0, outbox: 0 } as const;
/** Pending deliveries that one page may look at. */
const FEW = 1_000;

/** Resolves when the indexes exist. */
export async function createDeliveryStore(connection: Connection): Promise<DeliveryStore> {
  const model = connection.model<DeliveryDocument>('Delivery', deliverySchema);
  await model.createIndexes();
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
          // An empty condition would be one that nothing meets.
          { ...wanted, ...(Object.keys(ids).length > 0 && { _id: ids }) },
          { projection: WITHOUT_LOG, sort, limit, ...(hint && { hint }) },
        )
        .toArray();
      return documents.map(toDelivery);
    });
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
      const count = await collection.countDocuments(pending, { hint: DUE_OF_ENDPOINT_INDEX, limit: FEW });
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

    countPending(scope) {
      return collection.countDocuments(pendingOf(scope), { hint: DUE_OF_ENDPOINT_INDEX });
    },

    async sampleAttempts({ teamId, endpointId }, since, limit) {
      const documents = await collection
        .find(
          { team_id: teamId, endpoint_id: endpointId },
          { projection: { created_at: 1, 'attempts.error': 1, 'attempts.durationMs': 1 } },
        )
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      // Not by the query: where fewer are as young, it would go through all that the endpoint ever had.
      return documents.filter(({ created_at }) => created_at >= since).map(({ attempts }) => attempts);
    },
  };
}

/** By the index of what is pending: an endpoint that works has had a million deliveries, and a few of them are pending. */
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

/** The indexes of one event and of one payment are shorter still, and the planner finds them. */
function rareHintOf({ status, eventId, paymentId }: DeliveryFilter): string | undefined {
  const rare = RARE_STATUSES.find((one) => one === status);
  return rare && eventId === undefined && paymentId === undefined ? rareIndexName(rare) : undefined;
}
