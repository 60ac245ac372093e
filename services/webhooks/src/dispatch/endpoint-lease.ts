import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { type Clock, isYoungerThan } from '@tollgate/runtime/clock';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { HeldLease, LeaseStore } from './lease-store.ts';

/** Maximum age of the endpoint that an attempt uses: a changed URL or a rotated secret takes effect within this time. */
const REFRESH_MS = 1_000;
/** After this many checks an idle lease is released although it is used between the checks, so that other instances get it too. */
const MAX_IDLE_CHECKS = 5;

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
