import type { MemberActor } from '@tollgate/contracts/actor';
import { DAY_MS } from '@tollgate/contracts/durations';
import { Problem } from '@tollgate/contracts/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { findOtherMember } from '../members/find-other-member.ts';
import { changedMember } from '../members/member.ts';
import { newOpaqueToken } from '../opaque-token.ts';

const LIFETIME_MS = DAY_MS;

/**
 * Creates the link with which another member of the team sets a new password; an earlier link stops working. The second
 * factor stays. Throws `forbidden`, `not-found`.
 */
export async function createResetLink(
  context: Context,
  actor: MemberActor,
  { memberId }: { memberId: string },
): Promise<{ token: string; expiresAt: Date }> {
  const { team } = await findActingMember(context, actor);
  await findOtherMember(context, team, memberId);
  requireRole(team, actor, 'owner', 'reset passwords of members');
  // Otherwise an owner's unattended session would suffice to set a password without the current one.
  if (memberId === actor.member_id) {
    throw new Problem(
      'forbidden',
      'You cannot create a reset link for yourself. Change your password, or ask another owner for a link.',
    );
  }
  const { token, digest } = newOpaqueToken();
  const expiresAt = new Date(context.clock.now() + LIFETIME_MS);
  const author = actorAuthor(actor);
  await changeMember(context, { teamId: team.id, memberId }, (before, now) => {
    const after = changedMember(before, { resetLink: { tokenDigest: digest, expiresAt } }, now);
    return { after, audit: [memberAuditEntry('member.reset_link_created', author, after, now)] };
  });
  return { token, expiresAt };
}
