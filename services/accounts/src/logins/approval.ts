import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { isLive } from '../sessions/session.ts';
import type { Approval } from './device-authorization.ts';

/**
 * Whether an approval still counts: the session in which the member gave it is live, and they have neither ended all sessions nor set a
 * password since. Otherwise, what a thief approved in a stolen session would outlive the session.
 */
export async function isApprovalValid(
  { sessions }: Context,
  { sessionId, sessionEpoch }: Approval,
  member: Member,
  now: Date,
): Promise<boolean> {
  if (sessionEpoch !== member.session_epoch) return false;
  const session = await sessions.find(member.team_id, member._id, sessionId);
  return session !== null && isLive(session, member.session_epoch, now);
}
