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
    team_id: application.team_id,
    status: application.status,
    scopes: application.scopes,
    limits: application.limits,
    require_idempotency_key: application.require_idempotency_key,
    deleted_at: application.deleted_at?.toISOString() ?? null,
  };
}

export function keyEntry(key: ApiKey, peppers: Keyring): KeyEntry {
  const pepper = peppers.get(key.pepper_version);
  return {
    version: key.version,
    id: key._id,
    application_id: key.application_id,
    environment: key.environment,
    digest: key.digest,
    pepper_version: key.pepper_version,
    pepper_fingerprint: pepper ? pepperFingerprint(pepper) : null,
    // Gateways intersect the scopes of application and key, so listing every scope means "same as the application".
    scopes: [...(key.scopes ?? SCOPE_NAMES)],
    allowed_cidrs: key.allowed_cidrs,
    expires_at: key.expires_at?.toISOString() ?? null,
    status: key.revoked_at ? 'revoked' : 'active',
  };
}

/** Whether the entry of an application can be removed. */
export function isDeletionOver({ deleted_at }: Application, now: Date): boolean {
  return deleted_at !== null && deleted_at.getTime() + TOMBSTONE_MS <= now.getTime();
}

/** Whether the entry of a key can be removed: after the key's expiry, and 30 days after it was revoked or expired. */
export function isTombstoneDue(key: ApiKey, now: Date): boolean {
  const endedAt = key.revoked_at ?? key.expires_at;
  if (!endedAt) return false;
  const keptUntilMs = Math.max(endedAt.getTime() + TOMBSTONE_MS, key.expires_at?.getTime() ?? 0);
  return keptUntilMs <= now.getTime();
}
