import type { Actor } from '@tollgate/contracts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit';
import { newId } from '@tollgate/contracts/ids';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Application } from './applications/application.ts';
import type { ApiKey } from './keys/api-key.ts';

/** A member's action on an application. `before` is null when the action created it. */
export function applicationAuditEntry(
  action: AuditAction,
  actor: Actor,
  before: Application | null,
  after: Application,
): AuditEntry {
  return {
    ...commonFields(action, actor, after),
    environment: null,
    application_id: after.id,
    target: { type: 'application', id: after.id, name: after.name },
    changes: auditChanges(before && auditedApplication(before), auditedApplication(after)),
  };
}

/** A member's action on an API key. `before` is null when the action created it. */
export function keyAuditEntry(
  action: AuditAction,
  actor: Actor,
  before: ApiKey | null,
  after: ApiKey,
): AuditEntry {
  return {
    ...commonFields(action, actor, after),
    environment: after.environment,
    application_id: after.applicationId,
    target: { type: 'key', id: after.id, name: after.name },
    changes: auditChanges(before && auditedKey(before), auditedKey(after)),
  };
}

function commonFields(action: AuditAction, actor: Actor, changed: Application | ApiKey) {
  return {
    id: newId('audit'),
    occurred_at: changed.updatedAt.toISOString(),
    team_id: changed.teamId,
    action,
    ...actorAuthor(actor),
  };
}

function auditedApplication(application: Application) {
  const { name, status, scopes, limits, labels, requireIdempotencyKey } = application;
  return {
    name,
    status,
    scopes: [...scopes],
    limits,
    labels,
    require_idempotency_key: requireIdempotencyKey,
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
  };
}
