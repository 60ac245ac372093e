import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { type AuditAuthor, actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Application } from './applications/application.ts';
import type { ApiKey, KeyLeak } from './keys/api-key.ts';
import type { LeakedKeyPolicy } from './leaks/leaked-key-policy.ts';

/** A change of an application. `before` is null when the action created it. */
export function applicationAuditEntry(
  action: AuditAction,
  author: AuditAuthor,
  before: Application | null,
  after: Application,
): AuditEntry {
  return {
    ...commonFields(action, author, after),
    environment: null,
    application_id: after.id,
    target: { type: 'application', id: after.id, name: after.name },
    changes: auditChanges(before && auditedApplication(before), auditedApplication(after)),
  };
}

/** A change of an API key. `before` is null when the action created it. */
export function keyAuditEntry(
  action: AuditAction,
  author: AuditAuthor,
  before: ApiKey | null,
  after: ApiKey,
): AuditEntry {
  return {
    ...commonFields(action, author, after),
    environment: after.environment,
    application_id: after.applicationId,
    target: { type: 'key', id: after.id, name: after.name },
    changes: auditChanges(before && auditedKey(before), auditedKey(after)),
  };
}

/** The notice that a key expires soon. */
export function expiringKeyAuditEntry(
  author: AuditAuthor,
  key: ApiKey & { expiresAt: Date },
  now: Date,
): AuditEntry {
  const expiresAt = key.expiresAt.toISOString();
  return {
    ...commonFields('key.expiring', author, { ...key, updatedAt: now }),
    environment: key.environment,
    application_id: key.applicationId,
    target: { type: 'key', id: key.id, name: key.name },
    changes: { expires_at: { before: expiresAt, after: expiresAt } },
  };
}

/** A member's change of the team's policy for leaked keys. */
export function leakedKeyPolicyAuditEntry(
  actor: Actor,
  before: LeakedKeyPolicy,
  after: LeakedKeyPolicy,
): AuditEntry {
  return {
    ...commonFields('team.leaked_key_policy_changed', actorAuthor(actor), after),
    environment: null,
    application_id: null,
    target: { type: 'team', id: after.teamId, name: null },
    changes: auditChanges({ leaked_key_policy: before.policy }, { leaked_key_policy: after.policy }),
  };
}

function commonFields(
  action: AuditAction,
  author: AuditAuthor,
  changed: Pick<Application | ApiKey | LeakedKeyPolicy, 'teamId' | 'updatedAt'>,
) {
  return {
    id: newId('audit'),
    occurred_at: changed.updatedAt.toISOString(),
    team_id: changed.teamId,
    action,
    ...author,
  };
}

function auditedApplication(application: Application) {
  const { name, status, scopes, limits, labels, requireIdempotencyKey, deletedAt } = application;
  return {
    name,
    status,
    scopes: [...scopes],
    limits,
    labels,
    require_idempotency_key: requireIdempotencyKey,
    deleted_at: deletedAt?.toISOString() ?? null,
  };
}

/** Never the digest: readers of audit records must not get material to test guesses against. */
function auditedKey(key: ApiKey) {
  return {
    application_id: key.applicationId,
    name: key.name,
    scopes: key.scopes && [...key.scopes],
    allowed_cidrs: [...key.allowedCidrs],
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revocation_reason: key.revocationReason,
    rotated_to: key.rotatedTo,
    leaked: auditedLeak(key.leak),
  };
}

function auditedLeak(leak: KeyLeak | null) {
  if (!leak) return null;
  const { at, url, source, handledAt } = leak;
  return { at: at.toISOString(), url, source, handled_at: handledAt?.toISOString() ?? null };
}
