import { randomUUID } from 'node:crypto';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Connection } from 'mongoose';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type EndpointDocument, endpointSchema, toEndpoint } from '../endpoints/endpoint-document.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';

/** A lease as this instance acquired it, with the endpoint as it was at that time. */
export interface HeldLease {
  token: string;
  endpoint: Endpoint;
}

/**
 * Leases on endpoints, of every team. One instance at a time sends to an endpoint, so its limits hold for any number of instances.
 * A lease expires, so no leader is needed, and an instance that dies delays its endpoints by one lease at most.
 */
export interface LeaseStore {
  /**
   * Acquires the lease until the given time, or renews it when its token is given. Null when another instance holds it, or when
   * the endpoint is disabled, paused, or deleted.
   */
  acquire(endpointId: string, at: { now: Date; until: Date; token?: string }): Promise<HeldLease | null>;
  /** Releases the leases whose token is still the current one. */
  release(leases: HeldLease[]): Promise<void>;
  /** Stores the health. False when the lease was lost or the endpoint has changed. */
  saveHealth(lease: HeldLease, health: EndpointHealth, audit: SignedAuditEntry | null): Promise<boolean>;
  /** Also finds a deleted endpoint, whose pending deliveries must be canceled. */
  findOfAllTeams(endpointId: string): Promise<Endpoint | null>;
}

/** @param holder identifies this instance */
export function createLeaseStore(connection: Connection, holder: string): LeaseStore {
  const model = connection.model<EndpointDocument>('Endpoint', endpointSchema);

  return {
    async acquire(endpointId, { now, until, token = randomUUID() }) {
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

    async release(leases) {
      if (leases.length === 0) return;
      await model.updateMany(
        {
          _id: { $in: leases.map(({ endpoint }) => endpoint.id) },
          team_id: { $in: leases.map(({ endpoint }) => endpoint.teamId) },
          'turn.token': { $in: leases.map(({ token }) => token) },
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
