import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { changePassword as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { changeOwnAccount } from '../members/change-own-account.ts';
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
  { current_password, new_password }: Static<typeof contract.request>,
): Promise<void> {
  const acting = await findActingMember(context, actor);
  const { member } = acting;
  await requirePasswordAllowed(context, acting);
  await requirePassword(context, actor, member, current_password);
  const given = { password: new_password, pointer: '/new_password', address: actor.address };
  const password = await hashNewPassword(context, given);
  const current = await context.sessions.find(actor.team_id, actor.member_id, actor.session_id);
  await changeOwnAccount(context, actor, 'member.password_changed', (before, now) => {
    // A concurrent change may have locked out exactly the person who sent this request.
    if (before.password?.hash !== member.password?.hash || before.session_epoch !== member.session_epoch) {
      throw new Problem(
        'conflict',
        'The password or the sessions were changed by another request. Sign in again.',
      );
    }
    return withPassword(before, password, now);
  });
  if (current?.epoch === member.session_epoch) await context.sessions.moveToNextEpoch(current);
}
