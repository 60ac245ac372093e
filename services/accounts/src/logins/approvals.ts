import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { isLive } from '../sessions/session.ts';
import type { Approval, ApprovedLogin } from './device-authorization.ts';

/**
 * Whether an approval still counts: the session in which the member gave it is live, and they have neither ended all sessions nor set a
 * password since. Otherwise, what a thief approved in a stolen session would outlive the session.
 */
export async function isApprovalValid(
  { sessions }: Context,
  approval: Approval,
  { team_id, _id, session_epoch }: Member,
  now: Date,
): Promise<boolean> {
  if (approval.session_epoch !== session_epoch) return false;
  const session = await sessions.find(team_id, _id, approval.session_id);
  return session !== null && isLive(session, session_epoch, now);
}

/** The logins that the member approved, that still count, and whose programs have not fetched their token yet, newest first. */
export async function findPendingApprovals(context: Context, member: Member): Promise<ApprovedLogin[]> {
  const now = new Date(context.clock.now());
  const approved = await context.deviceAuthorizations.listApproved(member, now);
  const valid = await Promise.all(
    approved.map(({ decision }) => isApprovalValid(context, decision, member, now)),
  );
  return approved.filter((_, index) => valid[index]);
}
