import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import type { Context } from '../context.ts';
import type { Team } from './team.ts';

/** Losing this many races in a row would take more concurrent writers than a team has. */
const MAX_ATTEMPTS = 20;

export interface TeamChange {
  /** The same object when nothing changes; then nothing is stored or audited. */
  after: Team;
  audit: AuditEntry[];
  /** A member whose account must be emptied because of this change. */
  leaving?: string;
}

/**
 * Applies a change to a team: reads it, calls `decide`, and stores the result with its audit entries. When another
 * write was first, decides again on the new version. `decide` throws the rejection: permissions and rules are checked
 * against exactly the version that is replaced. Throws `not-found`, `conflict`, and whatever `decide` throws.
 */
export async function changeTeam(
  context: Context,
  teamId: string,
  decide: (team: Team, now: Date) => TeamChange,
): Promise<Team> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await context.teams.find(teamId);
    if (!before) throw new Problem('not-found', `Team ${teamId} not found.`);
    const { after, leaving = null, ...change } = decide(before, new Date(context.clock.now()));
    if (after === before) return after;
    const audit = change.audit.map((entry) => signAuditEntry(context.signer, entry));
    if (!(await context.teams.replace(before, after, audit, leaving))) continue;
    context.audit.enqueue(audit.map((entry) => auditMessage(after.id, entry)));
    return after;
  }
  throw new Problem('conflict', 'The team is being changed by other requests. Fetch it again, then retry.');
}
