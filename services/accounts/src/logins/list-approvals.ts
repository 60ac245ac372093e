import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { API_TOKEN_LIMITS } from '@tollgate/contracts/accounts/api-token';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { isApprovalValid } from './approval.ts';
import type { ApprovedLogin } from './device-authorization.ts';

/** The logins that the member approved and whose programs have not fetched their token yet, newest first. Throws `forbidden`. */
export async function listApprovals(context: Context, actor: MemberActor): Promise<ApprovedLogin[]> {
  const { member } = await findActingMember(context, actor);
  const pending = await findPendingApprovals(context, member);
  return pending.slice(0, API_TOKEN_LIMITS.activeLoginTokensPerMember);
}

/** Those that still count, newest first. */
export async function findPendingApprovals(context: Context, member: Member): Promise<ApprovedLogin[]> {
  const now = new Date(context.clock.now());
  const approved = await context.deviceAuthorizations.listApproved(member.team_id, member._id, now);
  const valid = await Promise.all(
    approved.map(({ decision }) => isApprovalValid(context, decision, member, now)),
  );
  return approved.filter((_, index) => valid[index]);
}
