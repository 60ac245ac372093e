import type { MemberActor } from '@tollgate/contracts/actor';
import { Problem } from '@tollgate/contracts/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { invitationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { openInvitations, withoutInvitation } from '../teams/team.ts';

/** Revokes an open invitation: its link stops working. Throws `forbidden`, `not-found`. */
export async function revokeInvitation(
  context: Context,
  actor: MemberActor,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await findActingMember(context, actor);
  const author = actorAuthor(actor);
  await changeTeam(context, actor.team_id, (before, now) => {
    const invitation = openInvitations(before, now).find(({ id }) => id === invitationId);
    if (!invitation) {
      throw new Problem('not-found', `Your team has no open invitation ${invitationId}.`);
    }
    requireRole(before, actor, 'owner', 'revoke invitations');
    const after = withoutInvitation(before, invitationId, now);
    return { after, audit: [invitationAuditEntry('invitation.revoked', author, after, invitation)] };
  });
}
