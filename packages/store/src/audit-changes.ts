import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';

/** Returns the fields that differ, each with its old and new value. `before` is null for a new resource. */
export function auditChanges(
  before: Record<string, unknown> | null,
  after: Record<string, unknown>,
): AuditEntry['changes'] {
  const changes: AuditEntry['changes'] = {};
  for (const [field, value] of Object.entries(after)) {
    const earlier = before?.[field] ?? null;
    if (!isDeepStrictEqual(earlier, value)) changes[field] = { before: earlier, after: value };
  }
  return changes;
}
