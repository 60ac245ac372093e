import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { created, memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { emailOfTooManyAccounts } from '../members/email.ts';
import { changedMember, type Member, newMember } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { hashNewPassword } from '../passwords/hash-new-password.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withAcceptedInvitation } from '../teams/team.ts';
import { findInvitation, invitationNotFound, openInvitation } from './find-invitation.ts';

export interface AcceptInvitationRequest extends Origin {
  token: string;
  name: string;
  password: string;
}

/**
 * Creates the account of an invited person, for exactly the invited email, in three writes: the account, as `joining`,
 * reserves the email; the team adds the member and consumes the invitation, which decides the acceptance; the account
 * becomes `active`. After a crash, the same link or `reconcile` completes it. Throws `not-found`, `conflict`,
 * `invalid-request`.
 */
export async function acceptInvitation(
  context: Context,
  request: AcceptInvitationRequest,
): Promise<MemberInTeam> {
  const name = parseName(request.name);
  const { team, invitation } = await findInvitation(context, request.token);
  const password = await hashNewPassword(context, { ...request, pointer: '/password' });
  const account = { id: invitation.memberId, teamId: team.id, email: invitation.email, name, password };
  const joining = newMember(
    { ...account, status: 'joining', isInstallationAdmin: false },
    new Date(context.clock.now()),
  );
  await takeEmail(context, joining);

  const author = provenAuthor(joining, request);
  const { tokenDigest } = invitation;
  const joined = await changeTeam(context, team.id, (before, now) => {
    const open = openInvitation(before, tokenDigest, now);
    if (!open) throw invitationNotFound();
    const changes = { role: created(open.role), invitation_id: created(open.id) };
    return {
      after: withAcceptedInvitation(before, open, now),
      audit: [memberAuditEntry('member.joined', author, joining, now, changes)],
    };
  });
  const member = await becomeActive(context, joining, { name, password });
  const role = joined.memberships.find(({ memberId }) => memberId === member.id)?.role ?? invitation.role;
  return { member, role };
}

/**
 * Stores the account before it belongs to a member. Takes over an incomplete earlier attempt of the same invitation. The
 * inviter hands over the link, so it does not prove that the email belongs to this person: accounts in other teams stay
 * as they are.
 */
async function takeEmail(context: Context, joining: Member): Promise<void> {
  const accounts = await context.members.listByEmail(joining.email as string);
  if (accounts.some(({ id, teamId }) => teamId === joining.teamId && id !== joining.id)) {
    throw new Problem('conflict', 'This email address already has an account in the team. Sign in to it.');
  }
  if (await context.members.insert(joining)) return;
  const earlier = await context.members.find(joining.teamId, joining.id);
  if (!earlier) {
    throw emailOfTooManyAccounts('Ask an owner of the team to invite another address.');
  }
  if (earlier.status !== 'joining') {
    throw new Problem('conflict', 'The invitation was already accepted. Sign in.');
  }
  const { name, password } = joining;
  const takenOver = changedMember(earlier, { name, password }, joining.createdAt);
  if (await context.members.replace(earlier, takenOver, [])) return;
  throw new Problem('conflict', 'The invitation is being accepted by another request.');
}

/**
 * Safe to repeat. Membership is already decided; this completes the acceptance. Of two requests with one link, the one
 * whose write the team accepted also sets name and password, even if the other wrote its own earlier.
 */
export async function becomeActive(
  context: Context,
  { teamId, id: memberId }: Pick<Member, 'id' | 'teamId'>,
  said: Partial<Pick<Member, 'name' | 'password'>> = {},
): Promise<Member> {
  return changeMember(context, { teamId, memberId }, (member, now) => ({
    after: member.status === 'removed' ? member : changedMember(member, { ...said, status: 'active' }, now),
    audit: [],
  }));
}
