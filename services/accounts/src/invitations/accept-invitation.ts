import { parseName } from '@tollgate/contracts/parse-name';
import { Problem } from '@tollgate/contracts/problem';
import { made, memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember, type Member, newMember } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withAcceptedInvitation } from '../teams/team.ts';
import { findInvitation, invitationNotFound, openInvitation } from './find-invitation.ts';

export interface AcceptInvitationRequest extends Origin {
  token: string;
  name: string;
  password: string;
}

/**
 * Makes the account of an invited person, for exactly the email that was invited. Three writes: the account, `joining`,
 * takes the email; the team takes the member and uses the invitation up, which decides it; the account becomes `active`.
 * What a crash leaves, the same link or `finishAcceptances` brings to its end. Throws `not-found`, `conflict`,
 * `invalid-request`.
 */
export async function acceptInvitation(
  context: Context,
  request: AcceptInvitationRequest,
): Promise<MemberInTeam> {
  const name = parseName(request.name);
  const { team, invitation } = await findInvitation(context, request.token);
  const password = await context.passwords.hash(request.password, request.address);
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
    const changes = { role: made(open.role), invitation_id: made(open.id) };
    return {
      after: withAcceptedInvitation(before, open, now),
      audit: [memberAuditEntry('member.joined', author, joining, now, changes)],
    };
  });
  const member = await becomeActive(context, joining, { name, password });
  const role = joined.memberships.find(({ memberId }) => memberId === member.id)?.role ?? invitation.role;
  return { member, role };
}

/** Stores the account before it is anybody's. An earlier try of the same invitation that went no further is taken over. */
async function takeEmail(context: Context, joining: Member): Promise<void> {
  if (await context.members.insert(joining)) return;
  const earlier = await context.members.find(joining.teamId, joining.id);
  if (earlier?.status !== 'joining') {
    throw new Problem('conflict', 'An account with this email address already exists. Sign in to it.');
  }
  const { name, password } = joining;
  const takenOver = changedMember(earlier, { name, password }, joining.createdAt);
  if (await context.members.replace(earlier, takenOver, [])) return;
  throw new Problem('conflict', 'The invitation is being accepted by another request.');
}

/**
 * Repeatable. Membership is decided already; this ends the acceptance. Of two requests with one link, the one whose write
 * the team took also says name and password, whichever of them has written those before.
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
