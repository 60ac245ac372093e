/**
 * Port: the lease of an endpoint, the right of one instance to send to it. So its concurrency limit, its pauses, and its health hold
 * for any number of instances.
 *
 * `hold`     before each delivery. Acquires the lease, or renews it when the endpoint was read more than a second ago; otherwise
 *            costs nothing. Null when another instance holds it, or the endpoint is disabled, paused, or deleted.
 * `release`  when the endpoint has been idle, or after some seconds in turn, so that other instances get it too.
 *
 * A lease lasts 30 s and is renewed while it is used. No leader is needed: the lease of a dead instance expires, which delays its
 * endpoints by 30 s at most. An attempt ends within 15 s, so only a suspended process outlives its lease. The lease does not protect a
 * delivery from being sent twice; the fence of its claim does (`store.ts`).
 *
 * The lease is stored in the endpoint, so that one read returns both, and the health is saved only under its token.
 */
import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { type Clock, isYoungerThan } from '@tollgate/runtime/clock';
import { type AuditTrail, recordAudited } from '@tollgate/store/audited-records';
import { createLeases } from '@tollgate/store/lease';
import type { Connection } from 'mongoose';
import { type Endpoint, endpointSchema } from '../endpoints/endpoint.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';

/** Maximum age of the endpoint that an attempt uses: a changed URL or a rotated secret takes effect within this time. */
const REFRESH_MS = 1_000;
/** After this many checks an idle lease is released although it is used between the checks, so that other instances get it too. */
const MAX_IDLE_CHECKS = 5;

/** A lease as this instance acquired it, with the endpoint as it was at that time. */
export interface HeldLease {
  token: string;
  endpoint: Endpoint;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

/**
 * The leases of every team.
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

export type EndpointLease = ReturnType<typeof createEndpointLease>;

interface State {
  held: HeldLease;
  acquiredAt: number;
  mustRefresh: boolean;
  wasUsed: boolean;
  idleChecks: number;
  health: EndpointHealth;
}

interface EndpointLeaseDeps {
  leases: LeaseStore;
  leaseMs: number;
  clock: Clock;
}

/** This instance's lease on one endpoint. */
export function createEndpointLease(endpointId: string, { leases, leaseMs, clock }: EndpointLeaseDeps) {
  let state: State | null = null;
  let acquiring: Promise<HeldLease | null> | null = null;
  let saving: Promise<unknown> = Promise.resolve();

  const isRecent = ({ acquiredAt }: State, ms: number) => isYoungerThan(clock, acquiredAt, ms);

  async function acquire(): Promise<HeldLease | null> {
    // The read must see the health that is being stored.
    await saving;
    const now = clock.now();
    // No other instance can have held a lease that has not expired, so what this instance knows about the health is still true.
    const before = state && isRecent(state, leaseMs) ? state : null;
    const held = await leases.acquire(endpointId, {
      now: new Date(now),
      until: new Date(now + leaseMs),
      ...(before && { token: before.held.token }),
    });
    state = held && {
      held,
      acquiredAt: now,
      mustRefresh: false,
      wasUsed: true,
      idleChecks: before?.idleChecks ?? 0,
      health: before?.held.endpoint.version === held.endpoint.version ? before.health : held.endpoint.health,
    };
    return held;
  }

  /** Null when the lease or the endpoint is no longer the one that was held. */
  function stateOf({ token, endpoint }: HeldLease): State | null {
    const isCurrent = state?.held.endpoint.version === endpoint.version || state?.held.token === token;
    return isCurrent ? state : null;
  }

  return {
    /** Acquires or renews the lease when needed. Null when this instance must not send to the endpoint now. */
    async hold(): Promise<HeldLease | null> {
      if (state && !state.mustRefresh && isRecent(state, REFRESH_MS)) {
        state.wasUsed = true;
        return state.held;
      }
      acquiring ??= acquire().finally(() => {
        acquiring = null;
      });
      return acquiring;
    },

    /** Whether this instance holds the lease, as far as it knows. */
    isHeld: () => state !== null && !state.mustRefresh && isRecent(state, leaseMs),
    /** Whether the lease is in use: held, even if expired, or being acquired. */
    isActive: () => state !== null || acquiring !== null,

    /** The next `hold` reads the endpoint again. */
    invalidate(): void {
      if (state) state.mustRefresh = true;
    },

    /** The endpoint's health, including what this instance has seen since it acquired the lease. */
    healthOf: (held: HeldLease) => stateOf(held)?.health ?? held.endpoint.health,

    /** Stores the health, in the order of the calls. False when the lease was lost or the endpoint has changed. */
    async saveHealth(held: HeldLease, health: EndpointHealth, entry: AuditEntry | null): Promise<boolean> {
      const current = stateOf(held);
      if (!current) return false;
      current.health = health;
      const saved = saving.then(() => leases.saveHealth(current.held, health, entry));
      saving = saved.catch(() => undefined);
      return saved;
    },

    /**
     * Called at intervals; returns whether the lease should be released: it was not used since the last call, or was held for many
     * calls. A release after each delivery would cost two more writes per delivery.
     */
    shouldRelease(isIdle: boolean): boolean {
      if (!state) return false;
      state.idleChecks += 1;
      const isDue = isIdle && (!state.wasUsed || state.idleChecks > MAX_IDLE_CHECKS);
      state.wasUsed = false;
      return isDue;
    },

    /** Gives up the lease and returns what must be released in the store. Null when it is not held, or is being acquired. */
    async giveUp(): Promise<HeldLease | null> {
      if (!state || acquiring) return null;
      const { held } = state;
      state = null;
      await saving;
      return held;
    },
  };
}
