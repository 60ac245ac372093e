import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { withPassword } from '../members/member.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { hashNewPassword } from './hash-new-password.ts';
import { requirePassword } from './require-password.ts';

/**
 * Sets the member's own password and ends all sessions and logins of programs in the same write. Afterwards, the caller's session moves to the
 * new epoch; a crash in between ends it as well. Throws `forbidden`, `sso-required`, `invalid-request`,
 * `conflict`, `too-many-attempts`.
 */
export async function changePassword(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string; newPassword: string },
): Promise<void> {
  const acting = await findActingMember(context, actor);
  const { member } = acting;
  await requirePasswordAllowed(context, acting);
  await requirePassword(context, actor, member, request.currentPassword);
  const password = await hashNewPassword(context, {
    password: request.newPassword,
    pointer: '/new_password',
    address: actor.address,
  });
  const author = actorAuthor(actor);
  const current = await context.sessions.find(actor.team_id, actor.member_id, actor.session_id);

  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  await changeMember(context, ref, (before, now) => {
    // A concurrent change may have locked out exactly the person who sent this request.
    if (before.password?.hash !== member.password?.hash || before.sessionEpoch !== member.sessionEpoch) {
      throw new Problem(
        'conflict',
        'The password or the sessions were changed by another request. Sign in again.',
      );
    }
    const after = withPassword(before, password, now);
    return { after, audit: [memberAuditEntry('member.password_changed', author, after, now)] };
  });
  if (current?.epoch === member.sessionEpoch) await context.sessions.moveToNextEpoch(current);
}
