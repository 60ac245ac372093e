import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '@tollgate/contracts/audit';

/** The fields that differ, each with what it was and what it is. `before` is null for something that is new. */
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
