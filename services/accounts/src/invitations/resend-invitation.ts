import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { invitationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withRaisedVersion } from '../teams/team.ts';
import { requireOpenInvitation } from './require-open-invitation.ts';

/** Has the link of an open invitation mailed again: the mail follows from the audit entry. Throws `forbidden`, `not-found`, `conflict`. */
export async function resendInvitation(
  context: Context,
  actor: MemberActor,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await findActingMember(context, actor);
  const author = actorAuthor(actor);
  await changeTeam(context, actor.team_id, (before, now) => {
    const invitation = requireOpenInvitation(before, invitationId, now);
    requireRole(before, actor, 'owner', 'send invitations again');
    if (!context.sendsMail) throw sendsNoMail();
    const after = withRaisedVersion(before, now);
    return { after, audit: [invitationAuditEntry('invitation.resent', author, after, invitation)] };
  });
}

function sendsNoMail(): Problem {
  return new Problem('conflict', 'This installation sends no email. Show the link, and send it yourself.');
}
