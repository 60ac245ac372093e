import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { idRange } from '@tollgate/store/id-range';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import { type Connection, Schema } from 'mongoose';
import { RETENTION_S } from '../deliveries/delivery-document.ts';
import { erasedBody } from '../erasure/erased-body.ts';
import type { Erasure } from '../erasure/erasure-store.ts';

/** An event with the body that is signed and sent, the same for every attempt to every endpoint. */
export interface StoredEvent {
  id: string;
  teamId: string;
  applicationId: string;
  environment: Environment;
  type: PaymentEventType;
  paymentId: string;
  paymentVersion: number;
  /** Whether a member sent it to test an endpoint. */
  isTest: boolean;
  occurredAt: Date;
  /** JSON text, sent as UTF-8. */
  body: string;
}

/** An event as stored. */
export interface EventDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  type: PaymentEventType;
  payment_id: string;
  payment_version: number;
  is_test: boolean;
  occurred_at: Date;
  body: string;
  /** When all its deliveries had been stored; null until then. Reconciliation fans it out again while it is null. */
  fanned_out_at: Date | null;
  /** When its newest delivery was created. The event is kept for longer than that delivery. */
  last_queued_at: Date;
  /** Its place in the feed; null until it has one. */
  feed_position: number | null;
}

export interface EventFilter {
  applicationId: string | undefined;
  environment: Environment | undefined;
  type: PaymentEventType | undefined;
  paymentId: string | undefined;
}

export interface EventStore {
  /** Stores the new ones among these, and resolves to them. Stored events stay unchanged, byte for byte, unless their payment is erased. */
  insertMissing(events: StoredEvent[], now: Date): Promise<StoredEvent[]>;
  /** Marks events, of every team, whose deliveries are all stored. */
  markFannedOutOfAllTeams(eventIds: string[], now: Date): Promise<void>;
  /** Keeps events whose deliveries were created much later for as long as those deliveries. */
  keepForDeliveries(teamId: string, eventIds: string[], now: Date): Promise<void>;
  find(teamId: string, eventId: string): Promise<StoredEvent | null>;
  list(teamId: string, filter: EventFilter, request: PageRequest): Promise<Page<StoredEvent>>;
  /** Events of payments with these types after the id `after`, in order of their ids, at most `limit`. */
  listWanted(
    owner: Pick<StoredEvent, 'teamId' | 'applicationId' | 'environment'>,
    wanted: { types: readonly PaymentEventType[]; since: Date; after: string; limit: number },
  ): Promise<StoredEvent[]>;
  /** Erases the personal data in the bodies of a payment's events. Resolves to the ids of those events. */
  eraseOfPayment(erasure: Erasure): Promise<string[]>;
  /** The events among these, of every team, whose deliveries are all stored. */
  findFannedOutOfAllTeams(eventIds: string[]): Promise<Set<string>>;
}

const schema = new Schema<EventDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    application_id: { type: String, required: true },
    environment: { type: String, required: true },
    type: { type: String, required: true },
    payment_id: { type: String, required: true },
    payment_version: { type: Number, required: true },
    is_test: { type: Boolean, required: true },
    occurred_at: { type: Date, required: true },
    body: { type: String, required: true },
    fanned_out_at: { type: Date, default: null },
    last_queued_at: { type: Date, required: true },
    feed_position: { type: Number, default: null },
  },
  { collection: 'events', versionKey: false, strict: 'throw', autoCreate: false },
);

/** Matches events without a place in the feed. */
export const UNPLACED = { feed_position: null } as const;

/** Name of the index of the sandbox. Events of live cost it nothing. */
export const SANDBOX_INDEX = 'sandbox';

export const EVENT_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: 'Events of a team, newest first' },
  { key: { team_id: 1, payment_id: 1, _id: -1 }, purpose: 'Events of a payment' },
  {
    key: { application_id: 1, environment: 1, _id: 1 },
    purpose: 'Replays: events of an application in order',
  },
  {
    key: { last_queued_at: 1 },
    // A day longer than its newest delivery, whose page shows the event, because MongoDB may expire deliveries late.
    expireAfterSeconds: RETENTION_S + DAY_S,
    purpose: 'Deletes events after their deliveries',
  },
  { key: { team_id: 1, feed_position: 1 }, purpose: 'The feed of a team' },
  {
    key: { _id: 1, feed_position: 1 },
    partialFilterExpression: UNPLACED,
    purpose: 'Events that have no place in the feed yet',
  },
  {
    key: { team_id: 1, occurred_at: 1 },
    name: SANDBOX_INDEX,
    partialFilterExpression: { environment: 'sandbox' },
    purpose: 'Resets: sandbox events of a team, oldest first',
  },
];

export function createEventStore(connection: Connection): EventStore {
  const model = connection.model<EventDocument>('WebhookEvent', schema);
  const collection = connection.collection<EventDocument>('events');

  async function findFannedOut(eventIds: string[]): Promise<Set<string>> {
    const documents = await model
      .find({ _id: { $in: eventIds }, fanned_out_at: { $ne: null } }, { _id: 1 })
      .lean();
    return new Set(documents.map(({ _id }) => _id));
  }

  return {
    insertMissing: (events, now) => insertMissing(collection, events, (event) => toDocument(event, now)),

    async markFannedOutOfAllTeams(eventIds, now) {
      await model.updateMany({ _id: { $in: eventIds } }, { $set: { fanned_out_at: now } });
    },

    async keepForDeliveries(teamId, eventIds, now) {
      await model.updateMany({ _id: { $in: eventIds }, team_id: teamId }, { $set: { last_queued_at: now } });
    },

    async find(teamId, eventId) {
      const document = await model.findOne({ _id: eventId, team_id: teamId }).lean();
      return document && toEvent(document);
    },

    list(teamId, wanted, request) {
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const { applicationId, environment, type, paymentId } = wanted;
        const documents = await model
          .find({
            team_id: teamId,
            ...(applicationId !== undefined && { application_id: applicationId }),
            ...(environment !== undefined && { environment }),
            ...(type !== undefined && { type }),
            ...(paymentId !== undefined && { payment_id: paymentId }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean();
        return documents.map(toEvent);
      });
    },

    async listWanted({ teamId, applicationId, environment }, { types, since, after, limit }) {
      const documents = await model
        .find({
          application_id: applicationId,
          environment,
          team_id: teamId,
          _id: { ...idRange('event', { from: since }), $gt: after },
          type: { $in: [...types] },
          occurred_at: { $gte: since },
          is_test: false,
        })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return documents.map(toEvent);
    },

    async eraseOfPayment({ teamId, paymentId, erasedAt }) {
      const ofPayment = { team_id: teamId, payment_id: paymentId, is_test: false };
      const stored = await collection.find(ofPayment, { projection: { body: 1 } }).toArray();
      for (const { _id, body } of stored) {
        await collection.updateOne({ _id, team_id: teamId }, { $set: { body: erasedBody(body, erasedAt) } });
      }
      return stored.map(({ _id }) => _id);
    },

    findFannedOutOfAllTeams: findFannedOut,
  };
}

function toDocument(event: StoredEvent, now: Date): EventDocument {
  return {
    _id: event.id,
    team_id: event.teamId,
    application_id: event.applicationId,
    environment: event.environment,
    type: event.type,
    payment_id: event.paymentId,
    payment_version: event.paymentVersion,
    is_test: event.isTest,
    occurred_at: event.occurredAt,
    body: event.body,
    fanned_out_at: null,
    last_queued_at: now,
    feed_position: null,
  };
}

export function toEvent(document: EventDocument): StoredEvent {
  return {
    id: document._id,
    teamId: document.team_id,
    applicationId: document.application_id,
    environment: document.environment,
    type: document.type,
    paymentId: document.payment_id,
    paymentVersion: document.payment_version,
    isTest: document.is_test,
    occurredAt: document.occurred_at,
    body: document.body,
  };
}
