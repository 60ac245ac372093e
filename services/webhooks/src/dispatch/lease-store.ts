import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { type AuditTrail, recordAudited } from '@tollgate/store/audited-records';
import { createLeases } from '@tollgate/store/lease';
import type { Connection } from 'mongoose';
import { type Endpoint, endpointSchema } from '../endpoints/endpoint.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';

/** A lease as this instance acquired it, with the endpoint as it was at that time. */
export interface HeldLease {
  token: string;
  endpoint: Endpoint;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/**
 * Leases on endpoints, of every team. One instance at a time sends to an endpoint, so its limits hold for any number of instances.
 * A lease expires, so no leader is needed, and an instance that dies delays its endpoints by one lease at most.
 *
 * @param holder identifies this instance
 */
export function createLeaseStore(connection: Connection, holder: string, trail: AuditTrail) {
  const model = connection.model<Endpoint>('Endpoint', endpointSchema);
  const turns = createLeases<Endpoint>(connection.collection<Endpoint>('endpoints'), {
    until: 'turn.until',
    token: 'turn.token',
    isFreeWithoutEnd: true,
  });

  return {
    /**
     * Acquires the lease until the given time, or renews it when its token is given. Null when another instance holds it, or when
     * the endpoint is disabled, paused, or deleted.
     */
    async acquire(
      endpointId: string,
      { now, until, token = randomUUID() }: { now: Date; until: Date; token?: string },
    ): Promise<HeldLease | null> {
      const isActive = {
        disabled: null,
        deleted_at: null,
        $or: [{ 'health.pausedUntil': null }, { 'health.pausedUntil': { $lte: now.getTime() } }],
      };
      const endpoint = await turns.acquire(
        { _id: endpointId, ...isActive },
        { now, until },
        { own: { 'turn.holder': holder }, update: { $set: { turn: { holder, token, until } } } },
      );
      return endpoint && { token, endpoint };
    },

    /** Releases the leases whose token is still the current one. */
    async release(leases: HeldLease[]): Promise<void> {
      if (leases.length === 0) return;
      await model.updateMany(
        {
          _id: { $in: leases.map(({ endpoint }) => endpoint._id) },
          team_id: { $in: leases.map(({ endpoint }) => endpoint.team_id) },
          'turn.token': { $in: leases.map(({ token }) => token) },
        },
        { $set: { turn: null } },
      );
    },

    /** Stores the health, with the audit entry of a warning. False when the lease was lost or the endpoint has changed. */
    async saveHealth(
      { token, endpoint: { _id, team_id, version } }: HeldLease,
      health: EndpointHealth,
      entry: AuditEntry | null,
    ): Promise<boolean> {
      const held = { _id, team_id, 'turn.token': token, version };
      if (entry !== null) return recordAudited(trail, { model }, held, entry, { health });
      return (await model.updateOne(held, { $set: { health } })).matchedCount === 1;
    },

    /** Also finds a deleted endpoint, whose pending deliveries must be canceled. */
    findOfAllTeams: async (_id: string): Promise<Endpoint | null> => model.findOne({ _id }).lean<Endpoint>(),
  };
}
