import { newId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import { claimedUntil, type Delivery } from '../src/deliveries/delivery.ts';
import type { LeaseStore } from '../src/dispatch/lease.ts';
import type { DueStore } from '../src/dispatch/store.ts';
import { type Endpoint, newEndpoint } from '../src/endpoints/endpoint.ts';

/** The documents that dispatching reads and writes, in memory, so that a test decides the order of all operations. */
export interface DispatchStores {
  due: DueStore;
  /** Deliveries by id. */
  deliveries: Map<string, Delivery>;
  /** Seen by one instance. */
  leasesOf(instance: string): LeaseStore;
  /** The instance that holds the endpoint's lease. */
  holderOf(endpointId: string): string | undefined;
  addEndpoint(application_id?: string): Endpoint;
  /** Changes the endpoint as a member does. */
  setUrl(endpointId: string, url: string): void;
}

export function createDispatchStores(clock: Clock): DispatchStores {
  const deliveries = new Map<string, Delivery>();
  const endpoints = new Map<string, Endpoint>();
  const leases = new Map<string, { holder: string; token: string; until: Date }>();
  let acquired = 0;

  const isDue = ({ next_attempt_at }: Delivery, now: Date) =>
    next_attempt_at !== null && next_attempt_at <= now;
  const isCurrent = ({ _id, fence }: Delivery) => deliveries.get(_id)?.fence === fence;
  const isTokenOf = (endpointId: string, token: string) => leases.get(endpointId)?.token === token;
  const dueAt = ({ next_attempt_at }: Delivery) => next_attempt_at?.getTime() ?? 0;

  const due: DueStore = {
    async findDueEndpoints(now) {
      const found = [...deliveries.values()].filter((delivery) => isDue(delivery, now));
      const byId = new Map(found.map((delivery) => [delivery.endpoint_id, delivery]));
      return { destinations: [...byId.values()], after: '' };
    },
    async findDue(endpointId, now, limit) {
      const found = [...deliveries.values()].filter(
        (one) => one.endpoint_id === endpointId && isDue(one, now),
      );
      return found.sort((one, other) => dueAt(one) - dueAt(other)).slice(0, limit);
    },
    async claim(delivery, { now, leaseUntil }) {
      if (!isCurrent(delivery) || !isDue(deliveries.get(delivery._id) as Delivery, now)) return null;
      const claimed = claimedUntil(delivery, leaseUntil);
      deliveries.set(claimed._id, claimed);
      return claimed;
    },
    async record(claimed, _attempt, outcome) {
      if (!isCurrent(claimed)) return false;
      deliveries.set(claimed._id, { ...claimed, ...outcome, attempt_count: claimed.attempt_count + 1 });
      return true;
    },
    async release(claimed, now) {
      for (const one of claimed.filter(isCurrent)) deliveries.set(one._id, { ...one, next_attempt_at: now });
    },
  };

  return {
    due,
    deliveries,
    holderOf: (endpointId) => leases.get(endpointId)?.holder,

    leasesOf: (holder) => ({
      async acquire(endpointId, { now, until, token }) {
        const current = leases.get(endpointId);
        if (current && current.holder !== holder && current.until > now) return null;
        acquired += 1;
        const lease = { holder, token: token ?? String(acquired), until };
        leases.set(endpointId, lease);
        return { token: lease.token, endpoint: endpoints.get(endpointId) as Endpoint };
      },
      async release(held) {
        for (const { token, endpoint } of held)
          if (isTokenOf(endpoint._id, token)) leases.delete(endpoint._id);
      },
      async saveHealth({ token, endpoint }, health) {
        const stored = endpoints.get(endpoint._id);
        if (stored?.version !== endpoint.version || !isTokenOf(endpoint._id, token)) return false;
        endpoints.set(endpoint._id, { ...stored, health });
        return true;
      },
      findOfAllTeams: async (endpointId) => endpoints.get(endpointId) ?? null,
    }),

    addEndpoint(application_id = 'application') {
      const id = newId('webhookEndpoint');
      const owner = { team_id: 'team', application_id, environment: 'sandbox' as const };
      const fields = { _id: id, url: 'https://example.com', description: '', event_types: [] };
      const sealed = { key_version: '1', iv: '', ciphertext: '', tag: '' };
      const endpoint = newEndpoint({ ...owner, ...fields }, sealed, new Date(clock.now()));
      endpoints.set(endpoint._id, endpoint);
      return endpoint;
    },

    setUrl(endpointId, url) {
      const endpoint = endpoints.get(endpointId) as Endpoint;
      endpoints.set(endpointId, { ...endpoint, url, version: endpoint.version + 1 });
    },
  };
}
