import { AUDIT_ACTIONS, type AuditRecord } from '@tollgate/contracts/audit/audit';
import type { Named, RecordRow } from '#lib/audit/record-view.ts';
import { deviceName } from '#lib/people/device-name.ts';
import { shortenId } from '#lib/webhooks/shorten-id.ts';
import { TARGET_LABELS } from './action-groups.ts';
import { describeChanges } from './describe-changes.ts';
import type { RecordContext } from './record-context.ts';
import { actorHref, targetHref } from './record-links.ts';

export function recordRow(record: AuditRecord, context: RecordContext): RecordRow {
  const { id, occurred_at, action, application_id, environment } = record;
  return {
    id,
    occurredAt: occurred_at,
    words: AUDIT_ACTIONS[action] ?? action,
    actor: namedActor(record, context),
    target: namedTarget(record, context),
    application:
      application_id === null
        ? null
        : { id: application_id, name: context.applicationNames.get(application_id) ?? application_id },
    environment,
    ip: record.context.ip,
  };
}

/** A record as its own page shows it. */
export function recordView(record: AuditRecord, context: RecordContext) {
  const userAgent = record.context.user_agent;
  return {
    ...recordRow(record, context),
    record,
    changes: describeChanges(record.changes),
    /** The browser or program by name; null when unknown. */
    device: userAgent === null ? null : deviceName(userAgent),
  };
}

const UNKNOWN = { member: 'Unknown member', key: 'Unknown API key', token: 'Unknown API token' };
const EXPORTED = { payments: 'Payments', audit_records: 'Audit records', usage: 'Usage' };

function namedTarget(record: AuditRecord, context: RecordContext): Named {
  const { type, id, name } = record.target;
  const href = targetHref(record, context);
  if (type === 'payments' || type === 'audit_records' || type === 'usage') {
    return { kind: 'Export', name: EXPORTED[type], isId: false, href };
  }
  return { kind: TARGET_LABELS[type] ?? type, ...nameOr(name, id), href };
}

function namedActor(record: AuditRecord, context: RecordContext): Named {
  const { type, id } = record.actor;
  const name = record.actor.name ?? context.actorNames.get(id ?? '') ?? null;
  const href = actorHref(record, context);
  switch (type) {
    case 'member':
    case 'key':
    case 'token':
      return { kind: TARGET_LABELS[type], ...nameOr(name, id ?? UNKNOWN[type]), href };
    case 'processor':
      return { kind: 'Processor', name: name ?? id ?? 'Unknown processor', isId: false, href };
    case 'system':
      // The platform has no IP address: a record with one comes from an unauthenticated user.
      return record.context.ip === null
        ? { kind: 'System', name: record.actor.name ?? 'Tollgate', isId: false, href }
        : { kind: 'Unauthenticated', name: 'Unknown user', isId: false, href };
  }
}

function nameOr(name: string | null, id: string): { name: string; isId: boolean } {
  return name === null || name === '' ? { name: shortenId(id), isId: true } : { name, isId: false };
}
