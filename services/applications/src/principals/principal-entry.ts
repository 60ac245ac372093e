import type { ApplicationEntry, KeyEntry } from '@tollgate/contracts/applications/principal';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { pepperFingerprint } from '@tollgate/security/api-key';
import type { Keyring } from '@tollgate/security/keyring';
import type { Application } from '../applications/application.ts';
import type { ApiKey } from '../keys/api-key.ts';

export type PrincipalEntry = ApplicationEntry | KeyEntry;

/**
 * How long the entry of a revoked or expired key still lets gateways report the reason instead of "unknown key", and how
 * long an application that was deleted since a backup stays deleted when the backup is restored.
 */
export const TOMBSTONE_MS = 30 * DAY_MS;

export function applicationEntry(application: Application): ApplicationEntry {
  return {
    version: application.version,
    team_id: application.teamId,
    status: application.status,
    scopes: [...application.scopes],
    limits: application.limits,
    require_idempotency_key: application.requireIdempotencyKey,
    deleted_at: application.deletedAt?.toISOString() ?? null,
  };
}

export function keyEntry(key: ApiKey, peppers: Keyring): KeyEntry {
  const pepper = peppers.get(key.pepperVersion);
  return {
    version: key.version,
    id: key.id,
    application_id: key.applicationId,
    environment: key.environment,
    digest: key.digest,
    pepper_version: key.pepperVersion,
    pepper_fingerprint: pepper ? pepperFingerprint(pepper) : null,
    // Gateways intersect the scopes of application and key, so listing every scope means "same as the application".
    scopes: [...(key.scopes ?? SCOPE_NAMES)],
    allowed_cidrs: [...key.allowedCidrs],
    expires_at: key.expiresAt?.toISOString() ?? null,
    status: key.revokedAt ? 'revoked' : 'active',
  };
}

/** Whether the entry of an application can be removed. */
export function isDeletionOver({ deletedAt }: Application, now: Date): boolean {
  return deletedAt !== null && deletedAt.getTime() + TOMBSTONE_MS <= now.getTime();
}

/** Whether the entry of a key can be removed: after the key's expiry, and 30 days after it was revoked or expired. */
export function isTombstoneDue(key: ApiKey, now: Date): boolean {
  const endedAt = key.revokedAt ?? key.expiresAt;
  if (!endedAt) return false;
  const keptUntilMs = Math.max(endedAt.getTime() + TOMBSTONE_MS, key.expiresAt?.getTime() ?? 0);
  return keptUntilMs <= now.getTime();
}
