import type { AddressPolicy } from '@tollgate/outbound/address-policy';
import type { Lookup } from '@tollgate/outbound/look-up-host';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { TeamQueries } from '@tollgate/store/team-queries';
import type { DeliveryStore } from './deliveries/delivery-store.ts';
import type { ApplicationDirectory } from './endpoints/application-directory.ts';
import type { EndpointStore } from './endpoints/endpoint-store.ts';
import type { EventStore } from './fan-out/event-store.ts';
import type { FeedStore } from './feed/feed-store.ts';
import type { Announce } from './live/announce-changes.ts';
import type { SecretCipher } from './secrets/secret-cipher.ts';

/** The dependencies of the use cases. */
export interface Context {
  endpoints: EndpointStore;
  deliveries: DeliveryStore;
  events: EventStore;
  feed: FeedStore;
  idempotency: IdempotencyStore;
  queries: TeamQueries;
  applications: ApplicationDirectory;
  cipher: SecretCipher;
  policy: AddressPolicy;
  lookup: Lookup;
  dispatcher: { wake(endpointId: string): void };
  audit: Pick<AuditOutbox, 'enqueue'>;
  /** Signs audit entries. */
  signer: Signer;
  announce: Announce;
  /** Aborted when the service stops: requests that wait return. */
  stopping: AbortSignal;
  clock: Clock;
  logger: Logger;
}
