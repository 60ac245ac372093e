import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { type AuditAuthor, actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import { jsonOf } from '@tollgate/store/json-of';
import { type Application, auditedApplication } from './applications/application.ts';
import { type ApiKey, auditedKey } from './keys/api-key.ts';
import type { LeakedKeyPolicy } from './leaks/leaked-key-policy.ts';

/** A change of an application. `before` is null when the action created it. */
export const applicationEntry =
  (action: AuditAction, author: AuditAuthor) =>
  (before: Application | null, after: Application): AuditEntry => ({
    ...commonFields(action, author, after),
    environment: null,
    application_id: after._id,
    target: { type: 'application', id: after._id, name: after.name },
    changes: auditChanges(before && auditedApplication(before), auditedApplication(after)),
  });

/** A change of an API key. `before` is null when the action created it. */
export const keyEntry =
  (action: AuditAction, author: AuditAuthor) =>
  (before: ApiKey | null, after: ApiKey): AuditEntry => ({
    ...commonFields(action, author, after),
    ...ofKey(after),
    changes: auditChanges(before && auditedKey(before), auditedKey(after)),
  });

/** The notice that a key expires soon. */
export function expiringKeyEntry(author: AuditAuthor, key: ApiKey, now: Date): AuditEntry {
  const { expires_at } = jsonOf({ expires_at: key.expires_at });
  return {
    ...commonFields('key.expiring', author, { ...key, updated_at: now }),
    ...ofKey(key),
    changes: { expires_at: { before: expires_at, after: expires_at } },
  };
}

/** A member's change of the team's policy for leaked keys. */
export const leakedKeyPolicyEntry =
  (actor: Actor) =>
  (before: LeakedKeyPolicy, after: LeakedKeyPolicy): AuditEntry => ({
    ...commonFields('team.leaked_key_policy_changed', actorAuthor(actor), after),
    environment: null,
    application_id: null,
    target: { type: 'team', id: after.team_id, name: null },
    changes: auditChanges({ leaked_key_policy: before.policy }, { leaked_key_policy: after.policy }),
  });

function commonFields(
  action: AuditAction,
  author: AuditAuthor,
  changed: { team_id: string; updated_at: Date },
) {
  return {
    id: newId('audit'),
    occurred_at: changed.updated_at.toISOString(),
    team_id: changed.team_id,
    action,
    ...author,
  };
}

function ofKey({ _id, name, environment, application_id }: ApiKey) {
  return { environment, application_id, target: { type: 'key' as const, id: _id, name } };
}
