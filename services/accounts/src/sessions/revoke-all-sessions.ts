import type { MemberActor } from '@tollgate/contracts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember } from '../members/member.ts';

/** Ends all of the member's own sessions in one write, including the caller's. Throws `forbidden`. */
export async function revokeAllSessions(context: Context, actor: MemberActor): Promise<void> {
  await findActingMember(context, actor);
  const author = actorAuthor(actor);
  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  await changeMember(context, ref, (before, now) => {
    const after = changedMember(before, { sessionEpoch: before.sessionEpoch + 1 }, now);
    return { after, audit: [memberAuditEntry('member.sessions_revoked', author, after, now)] };
  });
}
