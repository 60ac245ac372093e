import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { RecordContext } from './record-context.ts';

const POLICIES_CHANGED = new Set([
  'team.leaked_key_policy_changed',
  'team.data_retention_changed',
  'team.approval_policy_changed',
  'team.second_factor_policy_changed',
]);

/** The page of a record's target; null when it has none or no longer exists. */
export function targetHref(record: AuditRecord, context: RecordContext): string | null {
  const { target } = record;
  const environment = record.environment ?? context.environment;
  switch (target.type) {
    case 'application':
      return record.action === 'application.deleted' ? null : `/${environment}/applications/${target.id}`;
    case 'key':
      return keyHref(target.id, record);
    case 'member':
      return memberHref(target.id, context);
    case 'token':
      return tokenHref(target.id, context);
    case 'team':
      return POLICIES_CHANGED.has(record.action) ? '/team/policies' : '/team';
    case 'invitation':
      return '/team';
    case 'webhook_endpoint':
      return record.action === 'webhook_endpoint.deleted'
        ? null
        : `/${environment}/webhooks/endpoints/${target.id}`;
    case 'delivery':
      return `/${environment}/webhooks/deliveries/${target.id}`;
    case 'payment':
      return `/${environment}/payments/${target.id}`;
    case 'payments':
      return `/${environment}/payments`;
    case 'session':
    case 'audit_records':
    case 'usage':
      return null;
  }
}

/** The page of a record's actor. */
export function actorHref(record: AuditRecord, context: RecordContext): string | null {
  const { type, id } = record.actor;
  if (id === null) return null;
  if (type === 'member') return memberHref(id, context);
  if (type === 'token') return tokenHref(id, context);
  return type === 'key' ? keyHref(id, record) : null;
}

function keyHref(id: string, { environment, application_id }: AuditRecord): string | null {
  if (environment === null || application_id === null) return null;
  return `/${environment}/applications/${application_id}/keys/${id}`;
}

function memberHref(id: string, { memberIds }: RecordContext): string | null {
  return memberIds.has(id) ? `/team/members/${id}` : null;
}

function tokenHref(id: string, { mayOpenTokens }: RecordContext): string | null {
  return mayOpenTokens ? `/team/tokens/${id}` : null;
}
