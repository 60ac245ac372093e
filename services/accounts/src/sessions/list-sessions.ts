import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { isLive, type Session } from './session.ts';

/** The member's own active sessions, newest first. Throws `forbidden`. */
export async function listSessions(context: Context, actor: MemberActor): Promise<Session[]> {
  const { member } = await findActingMember(context, actor);
  const now = new Date(context.clock.now());
  const sessions = await context.sessions.list(member.team_id, member._id, member.session_epoch, now);
  return sessions.filter((session) => isLive(session, member.session_epoch, now));
}
