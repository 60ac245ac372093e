import type { Bus } from '@tollgate/bus/connection';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { VerifyActor } from '@tollgate/security/actor-token';
import type { Keyring } from '@tollgate/security/keyring';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import type { AuditOutbox } from '@tollgate/store/audit-outbox';
import { createIdempotencyStore } from '@tollgate/store/idempotency-store';
import { createTeamQueries } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import { createApplicationStore } from './applications/application-store.ts';
import { createApiKeyStore } from './keys/api-key-store.ts';
import { createLeakedKeyPolicyStore } from './leaks/leaked-key-policy.ts';
import { createPrincipalProjection } from './principals/principal-projection.ts';
import { createPrincipalSource } from './principals/principal-source.ts';
import { createPrincipalsBucket } from './principals/principals-bucket.ts';
import { createPrincipalReconciler } from './principals/reconcile-principals.ts';
import { createRestoreFromBucket } from './principals/restore-from-bucket.ts';

export interface AppDeps {
  bus: Bus;
  connection: Connection;
  audit: AuditOutbox;
  /** Peppers of the key digests; the current one is used for new keys. */
  peppers: Keyring;
  /** Signs audit entries, and entries of the bucket. */
  signer: Signer;
  verifier: SignatureVerifier;
  verifyActor: VerifyActor;
  clock: Clock;
  logger: Logger;
}

/** Dependencies of the use cases. */
export type Context = ReturnType<typeof createContext>;

export function createContext(deps: AppDeps) {
  const stores = {
    ...deps,
    applications: createApplicationStore(deps.connection),
    apiKeys: createApiKeyStore(deps.connection),
    leakedKeyPolicies: createLeakedKeyPolicyStore(deps.connection),
    idempotency: createIdempotencyStore(deps.connection),
    queries: createTeamQueries(),
    bucket: createPrincipalsBucket(deps.bus),
  };
  const source = createPrincipalSource(stores);
  const restoreFromBucket = createRestoreFromBucket(stores);
  const projection = createPrincipalProjection({ ...stores, source, restoreFromBucket });
  const reconciler = createPrincipalReconciler({ ...stores, source, projection });
  return { ...stores, projection, reconciler };
}
