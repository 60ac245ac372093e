import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { DataRetention } from '@tollgate/contracts/payments/data-retention';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireAllEnvironments } from '@tollgate/security/require-environment';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { requireRole } from '@tollgate/security/require-role';
import type { Signer } from '@tollgate/security/signature';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import type { RetentionStore } from './retention-store.ts';

const ACTION = 'change the retention period';

/**
 * Sets how long the team keeps the personal data of payments. The same period again changes nothing. A shorter one erases data at once.
 *
 * @throws Problem `forbidden`, `precondition-failed`, `reauthentication-required`
 */
export async function setDataRetention(
  deps: { retention: RetentionStore; audit: Pick<AuditOutbox, 'enqueue'>; signer: Signer; clock: Clock },
  actor: Actor,
  { days, ifVersion }: { days: number | null; ifVersion: number | undefined },
): Promise<DataRetention> {
  requireRole(actor, 'admin', ACTION);
  requireAllEnvironments(actor, ACTION);
  const before = await deps.retention.find(actor.team_id);
  requireVersion(ifVersion, before.version, 'the retention period');
  if (days === before.days) return before;
  if (isShorter(days, before.days)) {
    requireRecentAuthentication(actor, deps.clock.now(), 'shorten the retention period');
  }

  const after = { days, version: before.version + 1 };
  const at = new Date(deps.clock.now());
  const audit = signAuditEntry(deps.signer, changeEntry(actor, { before, after, at }));
  if (!(await deps.retention.replace(actor.team_id, before, after, { at, audit }))) {
    throw new Problem(
      'precondition-failed',
      'Another request changed the retention period at the same time.',
    );
  }
  deps.audit.enqueue([auditMessage(actor.team_id, audit)]);
  return after;
}

/** Null keeps the data permanently. */
function isShorter(days: number | null, before: number | null): boolean {
  return days !== null && (before === null || days < before);
}

function changeEntry(
  actor: Actor,
  { before, after, at }: { before: DataRetention; after: DataRetention; at: Date },
): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: actor.team_id,
    environment: null,
    ...actorAuthor(actor),
    action: 'team.data_retention_changed',
    target: { type: 'team', id: actor.team_id, name: null },
    application_id: null,
    changes: { data_retention_days: { before: before.days, after: after.days } },
  };
}
