import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import type { Context } from '../context.ts';
import type { Member } from './member.ts';

/** Losing this many races in a row would take more concurrent writers than an account has. */
const MAX_ATTEMPTS = 20;

export interface MemberChange {
  /** The same object when nothing changes; then nothing is stored or audited. */
  after: Member;
  audit: AuditEntry[];
}

/**
 * Applies a change to an account: reads it, calls `decide`, and stores the result with its audit entries. When another
 * write was first, decides again on the new version. So of two concurrent requests with one code, only one is accepted.
 * Throws `not-found`, `conflict`, and whatever `decide` throws.
 */
export async function changeMember(
  context: Context,
  { teamId, memberId }: { teamId: string; memberId: string },
  decide: (member: Member, now: Date) => MemberChange,
): Promise<Member> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await context.members.find(teamId, memberId);
    if (!before) throw memberNotFound(memberId);
    const { after, ...change } = decide(before, new Date(context.clock.now()));
    if (after === before) return after;
    const audit = change.audit.map((entry) => signAuditEntry(context.signer, entry));
    if (!(await context.members.replace(before, after, audit))) continue;
    context.audit.enqueue(audit.map((entry) => auditMessage(after.id, entry)));
    return after;
  }
  throw new Problem(
    'conflict',
    'The account is being changed by other requests. Fetch it again, then retry.',
  );
}

/** Also for a member of another team, so that callers cannot learn which members exist. */
export function memberNotFound(memberId: string): Problem {
  return new Problem('not-found', `Your team has no member ${memberId}.`);
}
