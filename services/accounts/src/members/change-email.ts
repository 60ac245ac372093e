import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { changeEmail as contract } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Static } from 'typebox';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { changeOwnAccount } from './change-own-account.ts';
import { emailOfTooManyAccounts, parseEmail } from './email.ts';
import { changedMember } from './member.ts';
import { freeEmailSlot } from './member-store.ts';

/**
 * Sets the email with which the member signs in. Nothing proves that the mailbox is theirs, and nothing relies on it: accounts in
 * other teams with the same email stay as they are. A reset link ends, because the earlier mailbox may have it. Throws `forbidden`,
 * `invalid-request`, `conflict`, `too-many-attempts`.
 */
export async function changeEmail(
  context: Context,
  actor: MemberActor,
  request: Static<typeof contract.request>,
): Promise<ActingMember> {
  const acting = await findActingMember(context, actor);
  const email = parseEmail(request.email);
  await requirePassword(context, actor, acting.member, request.current_password);
  const member = await changeOwnAccount(
    context,
    actor,
    'member.email_changed',
    async (before, now) => {
      if (before.email === email) return before;
      const accounts = await context.members.listByEmail(email);
      if (accounts.some(({ team_id }) => team_id === actor.team_id))
        throw new Problem('conflict', `${email} is already a member of the team.`);
      const email_slot = freeEmailSlot(accounts);
      if (email_slot === undefined) throw emailOfTooManyAccounts('Choose another address.');
      return changedMember(before, { email, email_slot, reset_link: null }, now);
    },
    (before, after) => ({ email: { before: before.email, after: after.email } }),
  );
  return { ...acting, member };
}
