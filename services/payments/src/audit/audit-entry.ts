import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { newId } from '@tollgate/contracts/platform/ids';
import type { AuditAuthor } from '@tollgate/store/audit-author';

/** What an entry says besides who did what, and when. */
type AuditedFacts = Pick<AuditEntry, 'team_id' | 'environment' | 'application_id' | 'target' | 'changes'>;

export function auditEntry(
  action: AuditAction,
  author: AuditAuthor,
  at: Date,
  facts: AuditedFacts,
): AuditEntry {
  return { id: newId('audit'), occurred_at: at.toISOString(), action, ...author, ...facts };
}

/** The facts of a change of the team's settings. */
export function ofTeam(team_id: string) {
  return { team_id, application_id: null, target: { type: 'team', id: team_id, name: null } } as const;
}
