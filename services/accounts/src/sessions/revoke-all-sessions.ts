import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { endSessions } from './end-sessions.ts';

/** Ends all of the member's own sessions, including the caller's. Throws `forbidden`. */
export async function revokeAllSessions(context: Context, actor: MemberActor): Promise<void> {
  await findActingMember(context, actor);
  await endSessions(context, { teamId: actor.team_id, memberId: actor.member_id }, actorAuthor(actor));
}
