import type { Actor } from '@tollgate/contracts/actor';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit';
import { newId } from '@tollgate/contracts/ids';
import { memberAuthor, SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Delivery } from './deliveries/delivery.ts';
import { type Endpoint, signingSecrets } from './endpoints/endpoint.ts';

/** What a member, or with a null actor the platform itself, did to an endpoint. `before` is null when the change made it. */
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

/** Something that was done with an endpoint and changes no field of it; `parameters` say how. */
export function endpointActEntry(
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
    ...(actor ? memberAuthor(actor) : SYSTEM_AUTHOR),
  };
}

/** Never the secrets, also not sealed: only how many sign, and until when the old one does. */
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

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
