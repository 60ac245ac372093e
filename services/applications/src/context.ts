import type { AuditOutbox } from '@tollgate/service-kit/audit-outbox';
import type { Clock } from '@tollgate/service-kit/clock';
import type { Keyring } from '@tollgate/service-kit/keyring';
import type { Logger } from '@tollgate/service-kit/logger';
import type { ApplicationStore } from './applications/application-store.ts';
import type { ApiKeyStore } from './keys/api-key-store.ts';
import type { PrincipalProjection } from './principals/principal-projection.ts';
import type { PrincipalReconciler } from './principals/reconcile-principals.ts';

/** What the use cases work with. */
export interface Context {
  applications: ApplicationStore;
  apiKeys: ApiKeyStore;
  projection: PrincipalProjection;
  reconciler: Pick<PrincipalReconciler, 'reconcileSoon'>;
  audit: Pick<AuditOutbox, 'enqueue'>;
  /** Peppers of the key digests; the current one is for new keys. */
  peppers: Keyring;
  clock: Clock;
  logger: Logger;
}
