import type { AuditAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember } from '../members/member.ts';

/** Ends all sessions of a member, their logins of programs, and their pending approvals in one write. Throws `not-found`. */
export async function endSessions(
  context: Context,
  { teamId, memberId }: { teamId: string; memberId: string },
  author: AuditAuthor,
): Promise<void> {
  await changeAudited(
    context,
    context.members,
    { _id: memberId, team_id: teamId },
    (before, now) => changedMember(before, { session_epoch: before.session_epoch + 1 }, now),
    memberEntry('member.sessions_revoked', author),
  );
}
