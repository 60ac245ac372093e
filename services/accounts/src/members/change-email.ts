import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type ActingMember, findActingMember } from '../access/acting-member.ts';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { requirePassword } from '../passwords/require-password.ts';
import { changeMember } from './change-member.ts';
import { parseEmail } from './email.ts';
import { changedMember } from './member.ts';

/**
 * Sets the email with which the member signs in. Nothing proves that the mailbox is theirs, and nothing relies on it: accounts in
 * other teams with the same email stay as they are. A reset link ends, because the earlier mailbox may have it. Throws `forbidden`,
 * `invalid-request`, `conflict`, `too-many-attempts`.
 */
export async function changeEmail(
  context: Context,
  actor: MemberActor,
  request: { currentPassword: string; email: string },
): Promise<ActingMember> {
  const acting = await findActingMember(context, actor);
  const email = parseEmail(request.email);
  await requirePassword(context, actor, acting.member, request.currentPassword);
  const accounts = await context.members.listByEmail(email);
  if (accounts.some(({ id, teamId }) => teamId === actor.team_id && id !== actor.member_id))
    throw new Problem('conflict', `${email} is already a member of the team.`);

  const author = actorAuthor(actor);
  const ref = { teamId: actor.team_id, memberId: actor.member_id };
  const member = await changeMember(context, ref, (before, now) => {
    if (before.email === email) return { after: before, audit: [] };
    const after = changedMember(before, { email, resetLink: null }, now);
    const changes = { email: { before: before.email, after: email } };
    return { after, audit: [memberAuditEntry('member.email_changed', author, after, now, changes)] };
  });
  return { ...acting, member };
}
