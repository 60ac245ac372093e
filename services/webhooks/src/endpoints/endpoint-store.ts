import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import { insertInSlot } from '@tollgate/store/slots';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { type Endpoint, receives } from './endpoint.ts';
import {
  changingFields,
  type EndpointDocument,
  endpointSchema,
  toDocument,
  toEndpoint,
} from './endpoint-document.ts';

export interface EndpointFilter {
  applicationId: string | undefined;
  environment: Environment | undefined;
}

export interface SubscribableEvent {
  teamId: string;
  applicationId: string;
  environment: Environment;
  type: PaymentEventType;
}

export interface Receiver {
  url: string;
  /** The end of the newest pause, which may be over; null without one. */
  pausedUntil: Date | null;
}

/** Methods ignore deleted endpoints unless they say otherwise. */
export interface EndpointStore {
  /** False when the team has the maximum number of endpoints. */
  insert(endpoint: Endpoint, audit: SignedAuditEntry): Promise<boolean>;
  find(teamId: string, endpointId: string): Promise<Endpoint | null>;
  list(teamId: string, filter: EndpointFilter, request: PageRequest): Promise<Page<Endpoint>>;
  listIds(teamId: string): Promise<string[]>;
  count(teamId: string, applicationId: string): Promise<number>;
  countDeleted(teamId: string): Promise<number>;
  /** Ids of deleted endpoints whose audit entries have been published, oldest first. */
  listDeletedIds(teamId: string, limit: number): Promise<string[]>;
  /** Removes deleted endpoints. Resolves to their number. */
  removeDeleted(teamId: string, endpointIds: string[]): Promise<number>;
  /** Where deliveries go and until when they wait, by endpoint id, including deleted endpoints. */
  findReceivers(teamId: string, endpointIds: string[]): Promise<Map<string, Receiver>>;
  /** The subscribed endpoints of each event, in the order of the events, including disabled endpoints. */
  listSubscribed(events: SubscribableEvent[]): Promise<Endpoint[][]>;
  /** Stores a change with its audit entry. False when the endpoint has changed since `before` was read. */
  replace(before: Endpoint, after: Endpoint, audit: SignedAuditEntry): Promise<boolean>;
  /** Lets the endpoint be tried now. Its failures still count: one delivery probes it. */
  endPause(teamId: string, endpointId: string): Promise<void>;
  /** Stores the audit entry of an action that changes no field. False when the endpoint is not found. */
  record(teamId: string, endpointId: string, audit: SignedAuditEntry): Promise<boolean>;
}

const EXISTS = { deleted_at: null } as const;
const IS_DELETED = { deleted_at: { $gt: new Date(0) } } as const;

export function createEndpointStore(connection: Connection): EndpointStore {
  const model = connection.model<EndpointDocument>('Endpoint', endpointSchema);

  return {
    insert: (endpoint, audit) =>
      insertInSlot({
        max: WEBHOOK_LIMITS.endpointsPerTeam,
        async takenSlots() {
          const documents = await model.find({ team_id: endpoint.teamId, ...EXISTS }, { slot: 1 }).lean();
          return documents.map(({ slot }) => slot);
        },
        async insert(slot) {
          await model.create([toDocument(endpoint, slot, [audit])]);
        },
      }),

    async find(teamId, endpointId) {
      const document = await model.findOne({ _id: endpointId, team_id: teamId, ...EXISTS }).lean();
      return document && toEndpoint(document);
    },

    list(teamId, { applicationId, environment }, request) {
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const documents = await model
          .find({
            team_id: teamId,
            ...EXISTS,
            ...(applicationId !== undefined && { application_id: applicationId }),
            ...(environment !== undefined && { environment }),
            ...filter,
          })
          .sort(sort)
          .limit(limit)
          .maxTimeMS(QUERY_TIME_MS)
          .lean();
        return documents.map(toEndpoint);
      });
    },

    async listIds(teamId) {
      const documents = await model.find({ team_id: teamId, ...EXISTS }, { _id: 1 }).lean();
      return documents.map(({ _id }) => _id);
    },

    count(teamId, applicationId) {
      return model.countDocuments({ team_id: teamId, application_id: applicationId, ...EXISTS });
    },

    countDeleted(teamId) {
      return model.countDocuments({ team_id: teamId, ...IS_DELETED });
    },

    async listDeletedIds(teamId, limit) {
      const documents = await model
        .find({ team_id: teamId, ...IS_DELETED, outbox: { $size: 0 } }, { _id: 1 })
        .sort({ deleted_at: 1 })
        .limit(limit)
        .lean();
      return documents.map(({ _id }) => _id);
    },

    async removeDeleted(teamId, endpointIds) {
      const { deletedCount } = await model.deleteMany({
        _id: { $in: endpointIds },
        team_id: teamId,
        ...IS_DELETED,
      });
      return deletedCount;
    },

    async findReceivers(teamId, endpointIds) {
      if (endpointIds.length === 0) return new Map();
      const filter = { _id: { $in: endpointIds }, team_id: teamId };
      const documents = await model.find(filter, { url: 1, health: 1 }).lean();
      return new Map(
        documents.map(({ _id, url, health: { pausedUntil } }) => [
          _id,
          { url, pausedUntil: pausedUntil === null ? null : new Date(pausedUntil) },
        ]),
      );
    },

    async endPause(teamId, endpointId) {
      await model.updateOne({ _id: endpointId, team_id: teamId }, { $set: { 'health.pausedUntil': null } });
    },

    async listSubscribed(events) {
      const documents = await model
        .find({
          application_id: { $in: events.map(({ applicationId }) => applicationId) },
          environment: { $in: events.map(({ environment }) => environment) },
          team_id: { $in: events.map(({ teamId }) => teamId) },
          ...EXISTS,
        })
        .lean();
      const endpoints = documents.map(toEndpoint);
      return events.map((event) => endpoints.filter((endpoint) => isSubscribed(endpoint, event)));
    },

    async replace(before, after, audit) {
      const result = await model.updateOne(
        { _id: before.id, team_id: before.teamId, version: before.version },
        {
          $set: {
            ...changingFields(after),
            // The lease holder writes the health concurrently; only a change of the health may overwrite it.
            ...(after.health !== before.health && { health: after.health }),
          },
          $push: { outbox: audit },
        },
      );
      return result.matchedCount === 1;
    },

    async record(teamId, endpointId, audit) {
      const result = await model.updateOne(
        { _id: endpointId, team_id: teamId, ...EXISTS },
        { $push: { outbox: audit } },
      );
      return result.matchedCount === 1;
    },
  };
}

function isSubscribed(endpoint: Endpoint, event: SubscribableEvent): boolean {
  return (
    endpoint.teamId === event.teamId &&
    endpoint.applicationId === event.applicationId &&
    endpoint.environment === event.environment &&
    receives(endpoint, event.type)
  );
}
