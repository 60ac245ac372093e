import type { MemberActor } from '@tollgate/contracts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember } from '../members/member.ts';
import { requirePassword } from '../passwords/require-password.ts';

/**
 * Disables the second factor; does nothing when it is disabled. Throws `forbidden`, `invalid-request`,
 * `too-many-attempts`.
 */
export async function disableTotp(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string },
): Promise<void> {
  const { member } = await findActingMember(context, actor);
  await requirePassword(context, actor, member, request.currentPassword);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: member.teamId, memberId: member.id }, (before, now) => {
    if (before.totp === null) return { after: before, audit: [] };
    const after = changedMember(before, { totp: null, pendingTotp: null }, now);
    return { after, audit: [memberAuditEntry('member.totp_disabled', author, after, now)] };
  });
}
