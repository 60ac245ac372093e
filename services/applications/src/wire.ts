import type * as contract from '@tollgate/contracts/applications/application';
import type * as leaks from '@tollgate/contracts/applications/leak';
import type { Application } from './applications/application.ts';
import { type ApiKey, type KeyLeak, statusOf } from './keys/api-key.ts';
import type { KeyWithSecret } from './keys/credential.ts';
import type { LeakedKeyPolicy } from './leaks/leaked-key-policy.ts';

/** The only place where records are converted to the form of the contracts. */
export function applicationToWire(application: Application): contract.Application {
  return {
    id: application.id,
    name: application.name,
    status: application.status,
    scopes: [...application.scopes],
    limits: application.limits,
    labels: application.labels,
    require_idempotency_key: application.requireIdempotencyKey,
    version: application.version,
    created_at: application.createdAt.toISOString(),
    updated_at: application.updatedAt.toISOString(),
  };
}

export function apiKeyToWire(key: ApiKey, now: Date): contract.ApiKey {
  return {
    id: key.id,
    application_id: key.applicationId,
    environment: key.environment,
    name: key.name,
    lookup_id: key.lookupId,
    scopes: key.scopes && [...key.scopes],
    allowed_cidrs: [...key.allowedCidrs],
    status: statusOf(key, now),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revocation_reason: key.revocationReason,
    rotated_to: key.rotatedTo,
    leaked: key.leak && keyLeakToWire(key.leak),
    version: key.version,
    created_at: key.createdAt.toISOString(),
  };
}

function keyLeakToWire({ at, url, source, handledAt }: KeyLeak): contract.ApiKey['leaked'] {
  return { at: at.toISOString(), url, source, handled_at: handledAt?.toISOString() ?? null };
}

export function createdKeyToWire({ key, secret }: KeyWithSecret, now: Date): contract.CreatedApiKey {
  return { ...apiKeyToWire(key, now), secret };
}

export function leakedKeyPolicyToWire({ policy, version }: LeakedKeyPolicy): leaks.LeakedKeyPolicy {
  return { policy, version };
}
