import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import { actorAuthor, SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Delivery } from './deliveries/delivery.ts';
import { type Endpoint, signingSecrets } from './endpoints/endpoint.ts';
import { isoOrNull } from './iso-or-null.ts';

/** A change of an endpoint by a member, or by the platform when `actor` is null. `before` is null when the endpoint was created. */
export function endpointAuditEntry(
  action: AuditAction,
  actor: Actor | null,
  before: Endpoint | null,
  after: Endpoint,
  at: Date,
): AuditEntry {
  return {
    ...commonFields(action, actor, after, at),
    target: { type: 'webhook_endpoint', id: after.id, name: after.url },
    changes: auditChanges(before && auditedEndpoint(before), auditedEndpoint(after)),
  };
}

/** An action on an endpoint that changes no field of it. */
export function endpointActionEntry(
  action: AuditAction,
  actor: Actor,
  endpoint: Endpoint,
  at: Date,
  parameters: Record<string, unknown> = {},
): AuditEntry {
  return {
    ...commonFields(action, actor, endpoint, at),
    target: { type: 'webhook_endpoint', id: endpoint.id, name: endpoint.url },
    changes: auditChanges(null, parameters),
  };
}

export function deliveryAuditEntry(
  action: AuditAction,
  actor: Actor,
  delivery: Delivery,
  status: Delivery['status'],
  at: Date,
): AuditEntry {
  return {
    ...commonFields(action, actor, delivery, at),
    target: { type: 'delivery', id: delivery.id, name: delivery.eventType },
    changes: auditChanges({ status: delivery.status }, { status }),
  };
}

function commonFields(
  action: AuditAction,
  actor: Actor | null,
  { teamId, environment, applicationId }: Pick<Endpoint, 'teamId' | 'environment' | 'applicationId'>,
  at: Date,
) {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: teamId,
    environment,
    application_id: applicationId,
    action,
    ...(actor ? actorAuthor(actor) : SYSTEM_AUTHOR),
  };
}

/** Without the secrets, even encrypted: only how many sign, and when the old one expires. */
function auditedEndpoint(endpoint: Endpoint) {
  const secrets = signingSecrets(endpoint, endpoint.updatedAt);
  return {
    application_id: endpoint.applicationId,
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    disabled: endpoint.disabled && { by: endpoint.disabled.by, reason: endpoint.disabled.reason },
    signing_secrets: secrets.length,
    old_secret_expires_at: secrets[1]?.expiresAt?.toISOString() ?? null,
    failing_since: isoOrNull(endpoint.health.failingSince),
    deleted_at: endpoint.deletedAt?.toISOString() ?? null,
  };
}
