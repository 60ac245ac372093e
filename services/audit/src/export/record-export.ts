import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditAction, AuditEntry, AuditRecord } from '@tollgate/contracts/audit/audit';
import { MAX_EXPORT_FILTERS_BYTES } from '@tollgate/contracts/audit/rpc';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId, newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { narrowEnvironment } from '@tollgate/security/require-environment';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditChanges } from '@tollgate/store/audit-changes';
import type { AppendContext } from '../append/appender.ts';

const ACTIONS = {
  payments: 'payments.exported',
  usage: 'usage.exported',
  audit_records: 'audit_records.exported',
} as const satisfies Record<string, AuditAction>;

interface Exported {
  of: keyof typeof ACTIONS;
  environment: Environment | null;
  /** The query as requested. */
  filters: Record<string, string>;
}

/**
 * Records that a member exports data. No document changes whose outbox could carry the entry, so it is appended to the
 * log before the member gets any data. Throws when it could not be stored.
 */
export async function recordExport(
  { appender, records, clock }: AppendContext,
  actor: Actor,
  { of, environment, filters }: Exported,
): Promise<AuditRecord> {
  const recorded = recordedFilters(filters);
  const applicationId = filters['application_id'] ?? '';
  const entry: AuditEntry = {
    id: newId('audit'),
    occurred_at: new Date(clock.now()).toISOString(),
    team_id: actor.team_id,
    environment: narrowEnvironment(actor, environment ?? undefined) ?? null,
    ...actorAuthor(actor),
    action: ACTIONS[of],
    target: { type: of, id: actor.team_id, name: null },
    application_id: isId('application', applicationId) ? applicationId : null,
    changes: auditChanges(null, recorded),
  };
  await appender.append(entry);
  const record = await records.find(actor.team_id, entry.id);
  if (record === null) throw new Error(`Record ${entry.id} was stored, but is missing.`);
  return record;
}

/** Filters of payments whose values can be personal data. */
const PERSONAL_FILTERS: readonly string[] = ['payer', 'reference', 'search'];

/** The record names such a filter but not its value, because a record cannot be erased. */
function recordedFilters(filters: Exported['filters']): Exported['filters'] {
  const recorded = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [
      name,
      PERSONAL_FILTERS.includes(name) ? '(not recorded)' : value,
    ]),
  );
  if (Buffer.byteLength(JSON.stringify(recorded)) <= MAX_EXPORT_FILTERS_BYTES) return recorded;
  const detail = `Send filters of at most ${MAX_EXPORT_FILTERS_BYTES} bytes as JSON.`;
  throw new Problem('invalid-request', 'The filters of the export are too large.', {
    errors: [{ pointer: '/filters', code: 'too-long', detail }],
  });
}
