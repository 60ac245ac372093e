import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { withoutFactor } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { requireFactorLeft } from './require-factor-left.ts';

/**
 * Removes the authenticator app; does nothing when there is none. Throws `forbidden`, `invalid-request`,
 * `too-many-attempts`, and `conflict` for the last second factor of a team that requires one.
 */
export async function disableTotp(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string },
): Promise<void> {
  const { member, team } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, request.currentPassword);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    if (before.totp === null) return { after: before, audit: [] };
    const after = withoutFactor(before, { totp: null, pendingTotp: null }, now);
    requireFactorLeft(team, after);
    return { after, audit: [memberAuditEntry('member.totp_disabled', author, after, now)] };
  });
}
