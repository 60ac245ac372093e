import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import { type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { type Endpoint, endpointSchema, receives } from './endpoint.ts';

type Owner = Pick<Endpoint, 'team_id' | 'application_id' | 'environment'>;

type Subject = Owner & { type: PaymentEventType };

export interface Receiver {
  url: string;
  /** The end of the newest pause, which may be over; null without one. */
  pausedUntil: Date | null;
}

const EXISTS = { deleted_at: null } as const;
const IS_DELETED = { deleted_at: { $gt: new Date(0) } } as const;

/** Methods ignore deleted endpoints unless they say otherwise. */
export function createEndpointStore(connection: Connection) {
  const model = connection.model<Endpoint>('Endpoint', endpointSchema);
  const records: AuditedRecords<Endpoint> = { model, noun: 'webhook endpoint' };

  return {
    ...records,

    /** Selects an endpoint of the team, for a change. */
    existing: (team_id: string, _id: string) => ({ _id, team_id, ...EXISTS }),

    async takenSlots(team_id: string): Promise<number[]> {
      const found = await model.find({ team_id, ...EXISTS }, { slot: 1 }).lean();
      return found.map(({ slot }) => slot);
    },

    find: async (team_id: string, _id: string): Promise<Endpoint | null> =>
      model.findOne({ _id, team_id, ...EXISTS }).lean<Endpoint>(),

    list: (
      team_id: string,
      wanted: Partial<Pick<Endpoint, 'application_id' | 'environment'>>,
      request: PageRequest,
    ) =>
      readPage(request, ({ filter, sort, limit }) =>
        model
          .find({ team_id, ...EXISTS, ...wanted, ...filter })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean<Endpoint[]>(),
      ),

    async listIds(team_id: string): Promise<string[]> {
      const found = await model.find({ team_id, ...EXISTS }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },

    count: (team_id: string, application_id: string) =>
      model.countDocuments({ team_id, application_id, ...EXISTS }),

    countDeleted: (team_id: string) => model.countDocuments({ team_id, ...IS_DELETED }),

    /** Ids of deleted endpoints whose audit entries have been published, oldest first. */
    async listDeletedIds(team_id: string, limit: number): Promise<string[]> {
      const found = await model
        .find({ team_id, ...IS_DELETED, outbox: { $size: 0 } }, { _id: 1 })
        .sort({ deleted_at: 1 })
        .limit(limit)
        .lean();
      return found.map(({ _id }) => _id);
    },

    /** Removes deleted endpoints. Resolves to their number. */
    async removeDeleted(team_id: string, endpointIds: string[]): Promise<number> {
      return (await model.deleteMany({ _id: { $in: endpointIds }, team_id, ...IS_DELETED })).deletedCount;
    },

    /** Where deliveries go and until when they wait, by endpoint id, including deleted endpoints. */
    async findReceivers(team_id: string, endpointIds: string[]): Promise<Map<string, Receiver>> {
      if (endpointIds.length === 0) return new Map();
      const found = await model.find({ _id: { $in: endpointIds }, team_id }, { url: 1, health: 1 }).lean();
      return new Map(
        found.map(({ _id, url, health: { pausedUntil } }) => [
          _id,
          { url, pausedUntil: pausedUntil === null ? null : new Date(pausedUntil) },
        ]),
      );
    },

    /** Lets the endpoint be tried now. Its failures still count: one delivery probes it. */
    async endPause(team_id: string, _id: string): Promise<void> {
      await model.updateOne({ _id, team_id }, { $set: { 'health.pausedUntil': null } });
    },

    /** Resolves to a function that returns the endpoints that subscribe to one of these events, including disabled endpoints. */
    async listSubscribed(events: Subject[]): Promise<(event: Subject) => Endpoint[]> {
      const endpoints = await model
        .find({
          application_id: { $in: events.map(({ application_id }) => application_id) },
          environment: { $in: events.map(({ environment }) => environment) },
          team_id: { $in: events.map(({ team_id }) => team_id) },
          ...EXISTS,
        })
        .lean<Endpoint[]>();
      return (event) =>
        endpoints.filter((endpoint) => isOwn(endpoint, event) && receives(endpoint, event.type));
    },
  };
}

function isOwn(endpoint: Owner, event: Owner): boolean {
  return (
    endpoint.team_id === event.team_id &&
    endpoint.application_id === event.application_id &&
    endpoint.environment === event.environment
  );
}
