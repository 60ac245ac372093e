import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import type { Clock } from '@tollgate/runtime/clock';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { Delivery } from './deliveries/delivery.ts';
import { type Endpoint, signingSecrets } from './endpoints/endpoint.ts';
import { isoOrNull } from './iso-or-null.ts';

/** A change of an endpoint at the time of `updated_at`. `before` is null when the endpoint was created. */
export const endpointEntry =
  (action: AuditAction, author: AuditAuthor) =>
  (before: Endpoint | null, after: Endpoint, at = after.updated_at): AuditEntry => ({
    ...commonFields(action, author, after, at),
    target: { type: 'webhook_endpoint', id: after._id, name: after.url },
    changes: auditChanges(before && auditedEndpoint(before), auditedEndpoint(after)),
  });

/** An action on an endpoint that changes no field of it. */
export function endpointActionEntry(
  action: AuditAction,
  author: AuditAuthor,
  endpoint: Endpoint,
  at: Date,
  parameters: Record<string, unknown>,
): AuditEntry {
  return {
    ...commonFields(action, author, endpoint, at),
    target: { type: 'webhook_endpoint', id: endpoint._id, name: endpoint.url },
    changes: auditChanges(null, parameters),
  };
}

/** A member's decision about a delivery. */
export const deliveryEntry =
  (action: AuditAction, author: AuditAuthor, clock: Clock) =>
  (before: Delivery, after: Delivery): AuditEntry => ({
    ...commonFields(action, author, after, new Date(clock.now())),
    target: { type: 'delivery', id: after._id, name: after.event_type },
    changes: auditChanges({ status: before.status }, { status: after.status }),
  });

function commonFields(
  action: AuditAction,
  author: AuditAuthor,
  { team_id, environment, application_id }: Pick<Endpoint, 'team_id' | 'environment' | 'application_id'>,
  at: Date,
) {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id,
    environment,
    application_id,
    action,
    ...author,
  };
}

/** Without the secrets, even encrypted: only how many sign, and when the old one expires. */
function auditedEndpoint(endpoint: Endpoint) {
  const { application_id, url, description, event_types, disabled, deleted_at } = endpoint;
  const secrets = signingSecrets(endpoint, endpoint.updated_at);
  return {
    application_id,
    url,
    description,
    event_types,
    disabled: disabled && { by: disabled.by, reason: disabled.reason },
    signing_secrets: secrets.length,
    old_secret_expires_at: secrets[1]?.expiresAt?.toISOString() ?? null,
    failing_since: isoOrNull(endpoint.health.failingSince),
    deleted_at: deleted_at?.toISOString() ?? null,
  };
}
