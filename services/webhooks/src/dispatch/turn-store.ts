import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Connection } from 'mongoose';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type EndpointDocument, endpointSchema, toEndpoint } from '../endpoints/endpoint-document.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';

/** The right to send to an endpoint, and the endpoint as it was when the right was taken. */
export interface HeldTurn {
  token: string;
  endpoint: Endpoint;
}

/**
 * Turns, of every team: at any time one instance sends to an endpoint, so that its limits hold however many instances there are. A turn ends by
 * itself, so none needs a leader, and one that dies blocks nothing for longer.
 */
export interface TurnStore {
  /** Takes the turn until then, or with its token prolongs it. Null when another has it, or nothing may be sent: it is disabled, paused or deleted. */
  take(endpointId: string, at: { now: Date; until: Date; token?: string }): Promise<HeldTurn | null>;
  /** Gives back those that are still held by their token. */
  release(turns: HeldTurn[]): Promise<void>;
  /** Stores the health unless the turn was lost or the endpoint changed meanwhile: then false. */
  saveHealth(turn: HeldTurn, health: EndpointHealth, audit: AuditEntry | null): Promise<boolean>;
  /** For what is owed to it: whether nothing is to be sent any more. A deleted one too; null when there is none. */
  findOfAllTeams(endpointId: string): Promise<Endpoint | null>;
}

export function createTurnStore(connection: Connection, holder: string): TurnStore {
  const model = connection.model<EndpointDocument>('Endpoint', endpointSchema);

  return {
    async take(endpointId, { now, until, token = randomUUID() }) {
      const document = await model
        .findOneAndUpdate(
          {
            _id: endpointId,
            disabled: null,
            deleted_at: null,
            $and: [
              {
                $or: [{ turn: null }, { 'turn.until': { $lte: now } }, { 'turn.holder': holder }],
              },
              {
                $or: [{ 'health.pausedUntil': null }, { 'health.pausedUntil': { $lte: now.getTime() } }],
              },
            ],
          },
          { $set: { turn: { holder, token, until } } },
          { returnDocument: 'after' },
        )
        .lean();
      return document && { token, endpoint: toEndpoint(document) };
    },

    async release(held) {
      if (held.length === 0) return;
      await model.updateMany(
        {
          _id: { $in: held.map(({ endpoint }) => endpoint.id) },
          team_id: { $in: held.map(({ endpoint }) => endpoint.teamId) },
          'turn.token': { $in: held.map(({ token }) => token) },
        },
        { $set: { turn: null } },
      );
    },

    async saveHealth({ token, endpoint }, health, audit) {
      const result = await model.updateOne(
        { _id: endpoint.id, team_id: endpoint.teamId, 'turn.token': token, version: endpoint.version },
        { $set: { health }, ...(audit && { $push: { outbox: audit } }) },
      );
      return result.matchedCount === 1;
    },

    async findOfAllTeams(endpointId) {
      const document = await model.findOne({ _id: endpointId }).lean();
      return document && toEndpoint(document);
    },
  };
}
