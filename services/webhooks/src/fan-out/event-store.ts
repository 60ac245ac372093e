import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { idRange } from '@tollgate/store/id-range';
import { insertMissing } from '@tollgate/store/insert-missing';
import { type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { Erasure } from '../erasure/erasure-store.ts';
import { erasedBody, eventSchema, type StoredEvent } from './event.ts';

/** Selects events of a team. An absent field selects all. */
export type EventFilter = Partial<
  Pick<StoredEvent, 'application_id' | 'environment' | 'type' | 'payment_id'>
>;

/** What a delivery needs of its event. */
type WantedEvent = Pick<StoredEvent, '_id' | 'type' | 'payment_id'>;

export type EventStore = ReturnType<typeof createEventStore>;

export function createEventStore(connection: Connection) {
  const model = connection.model<StoredEvent>('WebhookEvent', eventSchema);
  const collection = connection.collection<StoredEvent>('events');

  return {
    noun: 'event',

    /** Stores the new ones among these, and resolves to them. Stored events stay unchanged, byte for byte, unless their payment is erased. */
    insertMissing: (events: StoredEvent[]) => insertMissing(collection, events, (event) => event),

    /** Marks events, of every team, whose deliveries are all stored. */
    async markFannedOutOfAllTeams(eventIds: string[], now: Date): Promise<void> {
      await model.updateMany({ _id: { $in: eventIds } }, { $set: { fanned_out_at: now } });
    },

    /** Keeps events whose deliveries were created much later for as long as those deliveries. */
    async keepForDeliveries(team_id: string, eventIds: string[], now: Date): Promise<void> {
      await model.updateMany({ _id: { $in: eventIds }, team_id }, { $set: { last_queued_at: now } });
    },

    find: async (team_id: string, _id: string): Promise<StoredEvent | null> =>
      model.findOne({ _id, team_id }).lean<StoredEvent>(),

    list: (team_id: string, wanted: EventFilter, request: PageRequest) =>
      readPage(request, ({ filter, sort, limit }) =>
        model
          .find({ team_id, ...wanted, ...filter })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean<StoredEvent[]>(),
      ),

    /** Events of payments with these types after the id `after`, in order of their ids, at most `limit`, without their bodies. */
    async listWanted(
      {
        team_id,
        application_id,
        environment,
      }: Pick<StoredEvent, 'team_id' | 'application_id' | 'environment'>,
      wanted: { types: PaymentEventType[]; since: Date; after: string; limit: number; maxTimeMS?: number },
    ): Promise<WantedEvent[]> {
      const { types, since, after, limit, maxTimeMS } = wanted;
      return collection
        .find<WantedEvent>(
          {
            application_id,
            environment,
            team_id,
            _id: { ...idRange('event', { from: since }), $gt: after },
            type: { $in: types },
            occurred_at: { $gte: since },
            is_test: false,
          },
          {
            projection: { type: 1, payment_id: 1 },
            sort: { _id: 1 },
            limit,
            ...(maxTimeMS && { maxTimeMS }),
          },
        )
        .toArray();
    },

    /** Erases the personal data in the bodies of a payment's events. Resolves to the ids of those events. */
    async eraseOfPayment({ team_id, _id: payment_id, erased_at }: Erasure): Promise<string[]> {
      const stored = await collection
        .find({ team_id, payment_id, is_test: false }, { projection: { body: 1 } })
        .toArray();
      for (const { _id, body } of stored) {
        await collection.updateOne({ _id, team_id }, { $set: { body: erasedBody(body, erased_at) } });
      }
      return stored.map(({ _id }) => _id);
    },

    /** The events among these, of every team, whose deliveries are all stored. */
    async findFannedOutOfAllTeams(eventIds: string[]): Promise<Set<string>> {
      const found = await model
        .find({ _id: { $in: eventIds }, fanned_out_at: { $ne: null } }, { _id: 1 })
        .lean();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
