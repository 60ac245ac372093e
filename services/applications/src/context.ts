import type { Bus } from '@tollgate/bus/connection';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Keyring } from '@tollgate/security/keyring';
import type { Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { TeamQueries } from '@tollgate/store/team-queries';
import type { ApplicationStore } from './applications/application-store.ts';
import type { ApiKeyStore } from './keys/api-key-store.ts';
import type { LeakedKeyPolicyStore } from './leaks/leaked-key-policy-store.ts';
import type { PrincipalProjection } from './principals/principal-projection.ts';
import type { PrincipalReconciler } from './principals/reconcile-principals.ts';

/** Dependencies of the use cases. */
export interface Context {
  bus: Bus;
  applications: ApplicationStore;
  apiKeys: ApiKeyStore;
  leakedKeyPolicies: LeakedKeyPolicyStore;
  idempotency: IdempotencyStore;
  queries: TeamQueries;
  projection: PrincipalProjection;
  reconciler: Pick<PrincipalReconciler, 'reconcileSoon'>;
  audit: Pick<AuditOutbox, 'enqueue'>;
  /** Signs audit entries. */
  signer: Signer;
  /** Peppers of the key digests; the current one is used for new keys. */
  peppers: Keyring;
  clock: Clock;
  logger: Logger;
}
