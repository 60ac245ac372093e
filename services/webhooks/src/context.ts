import { randomUUID } from 'node:crypto';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type AddressPolicyOptions, createAddressPolicy } from '@tollgate/outbound/address-policy';
import { type CheckedAgent, createCheckedAgent } from '@tollgate/outbound/checked-agent';
import { createLookup, type Lookup } from '@tollgate/outbound/look-up-host';
import type { Keyring } from '@tollgate/security/keyring';
import type { VerifyMessage } from '@tollgate/security/message-verifier';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import type { ServiceContext } from '@tollgate/service/service';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { createTeamQueries } from '@tollgate/store/team-queries';
import { createDeliveryStore } from './deliveries/delivery-store.ts';
import { createBodyCache } from './dispatch/body-cache.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import { createDueBacklog } from './dispatch/due-backlog.ts';
import { createLeaseStore } from './dispatch/lease.ts';
import { createDueStore } from './dispatch/store.ts';
import { createApplicationDirectory } from './endpoints/application-directory.ts';
import { createEndpointStore } from './endpoints/endpoint-store.ts';
import { createErasureStore } from './erasure/erasure-store.ts';
import { createEventStore } from './fan-out/event-store.ts';
import { createFannedOutMarks } from './fan-out/fanned-out-marks.ts';
import { createFeedStore } from './feed/feed-store.ts';
import { announceChanges } from './live/announce-changes.ts';
import { createResetMarks } from './sandbox-reset/reset-marks.ts';
import { createSandboxData } from './sandbox-reset/sandbox-data.ts';
import { createSecretCache } from './secrets/secret-cache.ts';
import { createSecretCipher } from './secrets/secret-cipher.ts';
import { TOTAL_DEADLINE_MS } from './sending/send-webhook.ts';
import { createWebhookMetrics } from './webhook-metrics.ts';

export interface AppDeps extends Omit<ServiceContext<unknown>, 'config'> {
  /** Signs audit entries. */
  signer: Signer;
  encryptionKeys: Keyring;
  verifier: SignatureVerifier;
  /** Returns why a payment event fails verification, or null. */
  verifyEvent: VerifyMessage;
  /** Returns why an order to reset a sandbox fails verification, or null. */
  verifyReset: VerifyMessage;
  addresses: AddressPolicyOptions;
  /** Maximum number of attempts in flight. */
  concurrency: number;
  /** The highest limit that the concurrency of one endpoint can reach. */
  maxConcurrencyPerEndpoint: number;
  lookup?: Lookup;
  random?: () => number;
  /** Set by tests: no setting lets a live event be sent to this machine. */
  agents?: Record<Environment, CheckedAgent>;
  leaseMs?: number;
  deadlineMs?: number;
  /** Interval between searches for due deliveries. */
  dueSweepIntervalMs?: number;
}

/** Twice the deadline of an attempt, so an attempt outlives its claim only when its process is suspended. */
const LEASE_MS = 30_000;

/** What the parts of the service share: each takes what it uses. */
export type Context = Shared & { dispatcher: Pick<Dispatcher, 'wake' | 'claimNew' | 'enqueue'> };
export type Shared = ReturnType<typeof createShared>;

/**
 * @param stopping aborted when the service stops: requests that wait return
 * @param inFlight the number of attempts in flight
 */
export function createShared(deps: AppDeps, stopping: AbortSignal, inFlight: () => number) {
  const { bus, connection, addresses, lookup = createLookup(addresses) } = deps;
  const policy = createAddressPolicy(addresses);
  const agentOf = (environment: Environment) => createCheckedAgent({ environment, policy, lookup });
  const { agents = { live: agentOf('live'), sandbox: agentOf('sandbox') } } = deps;
  const holder = randomUUID();
  const cipher = createSecretCipher(deps.encryptionKeys);
  const events = createEventStore(connection);
  return {
    leaseMs: LEASE_MS,
    deadlineMs: TOTAL_DEADLINE_MS,
    random: Math.random,
    ...deps,
    agents,
    /** Identifies this instance. */
    holder,
    stopping,
    policy,
    lookup,
    cipher,
    events,
    endpoints: createEndpointStore(connection),
    deliveries: createDeliveryStore(connection),
    due: createDueStore(connection),
    leases: createLeaseStore(connection, holder, deps),
    feed: createFeedStore(connection),
    erasures: createErasureStore(connection),
    resets: createResetMarks(connection),
    sandbox: createSandboxData(connection),
    fannedOut: createFannedOutMarks({ ...deps, events }),
    idempotency: createIdempotencyStore(connection),
    queries: createTeamQueries(),
    applications: createApplicationDirectory(bus, deps),
    bodies: createBodyCache(events, deps.clock),
    secrets: createSecretCache(cipher),
    announce: announceChanges(bus),
    metrics: createWebhookMetrics(deps.registry, { ...createDueBacklog(connection, deps), inFlight }),
  };
}
