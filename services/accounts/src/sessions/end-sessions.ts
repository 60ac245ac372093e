import type { AuditAuthor } from '@tollgate/store/audit-author';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember } from '../members/member.ts';

/** Ends all sessions of a member, their logins of programs, and their pending approvals in one write. Throws `not-found`. */
export async function endSessions(
  context: Context,
  member: { teamId: string; memberId: string },
  author: AuditAuthor,
): Promise<void> {
  await changeMember(context, member, (before, now) => {
    const after = changedMember(before, { sessionEpoch: before.sessionEpoch + 1 }, now);
    return { after, audit: [memberAuditEntry('member.sessions_revoked', author, after, now)] };
  });
}
