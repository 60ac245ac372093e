import type { acceptInvitation as contract } from '@tollgate/contracts/accounts/rpc';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { created, roleEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { emailOfTooManyAccounts } from '../members/email.ts';
import { changedMember, type Member, newMember } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { hashNewPassword } from '../passwords/hash-new-password.ts';
import { roleIn, withAcceptedInvitation } from '../teams/team.ts';
import { findInvitation, invitationNotFound, openInvitation } from './find-invitation.ts';

/**
 * Creates the account of an invited person, for exactly the invited email, in three writes: the account, as `joining`,
 * reserves the email; the team adds the member and consumes the invitation, which decides the acceptance; the account
 * becomes `active`. After a crash, the same link or `reconcile` completes it. Throws `not-found`, `conflict`,
 * `invalid-request`.
 */
export async function acceptInvitation(
  context: Context,
  request: Static<typeof contract.request> & Origin,
): Promise<MemberInTeam> {
  const name = parseName(request.name);
  const { team, invitation } = await findInvitation(context, request.token);
  const password = await hashNewPassword(context, { ...request, pointer: '/password' });
  const { member_id: _id, email } = invitation;
  const account = { _id, team_id: team._id, email, name, password };
  const joining = newMember(
    { ...account, status: 'joining', is_installation_admin: false },
    new Date(context.clock.now()),
  );
  await takeEmail(context, joining, email);

  const joined = await changeAudited(
    context,
    context.teams,
    { _id: team._id },
    (before, now) => {
      const open = openInvitation(before, invitation.token_digest, now);
      if (!open) throw invitationNotFound();
      return withAcceptedInvitation(before, open, now);
    },
    roleEntry('member.joined', provenAuthor(joining, request), joining, {
      invitation_id: created(invitation.id),
    }),
  );
  const member = await becomeActive(context, joining, { name, password });
  return { member, role: roleIn(joined, _id) ?? invitation.role };
}

/**
 * Stores the account before it belongs to a member. Takes over an incomplete earlier attempt of the same invitation. The
 * inviter hands over the link, so it does not prove that the email belongs to this person: accounts in other teams stay
 * as they are.
 */
async function takeEmail(context: Context, joining: Member, email: string): Promise<void> {
  const { _id, team_id, name, password } = joining;
  const accounts = await context.members.listByEmail(email);
  if (accounts.some((account) => account.team_id === team_id && account._id !== _id)) {
    throw new Problem('conflict', 'This email address already has an account in the team. Sign in to it.');
  }
  if (await context.members.insert(joining)) return;
  if (!(await context.members.find(team_id, _id))) {
    throw emailOfTooManyAccounts('Ask an owner of the team to invite another address.');
  }
  await changeAudited(
    context,
    context.members,
    { _id, team_id },
    (earlier, now) => {
      if (earlier.status !== 'joining')
        throw new Problem('conflict', 'The invitation was already accepted. Sign in.');
      return changedMember(earlier, { name, password }, now);
    },
    () => [],
  );
}

/**
 * Safe to repeat. Membership is already decided; this completes the acceptance. Of two requests with one link, the one
 * whose write the team accepted also sets name and password, even if the other wrote its own earlier.
 */
export function becomeActive(
  context: Context,
  { _id, team_id }: Member,
  said: Partial<Pick<Member, 'name' | 'password'>> = {},
): Promise<Member> {
  return changeAudited(
    context,
    context.members,
    { _id, team_id },
    (member, now) =>
      member.status === 'removed' ? member : changedMember(member, { ...said, status: 'active' }, now),
    () => [],
  );
}
