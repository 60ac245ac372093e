import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { invitationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { withoutInvitation } from '../teams/team.ts';
import { requireOpenInvitation } from './require-open-invitation.ts';

/** Revokes an open invitation: its link stops working. Throws `forbidden`, `not-found`. */
export async function revokeInvitation(
  context: Context,
  actor: MemberActor,
  { invitationId }: { invitationId: string },
): Promise<void> {
  await findActingMember(context, actor);
  const author = actorAuthor(actor);
  await changeTeam(context, actor.team_id, (before, now) => {
    const invitation = requireOpenInvitation(before, invitationId, now);
    requireRole(before, actor, 'owner', 'revoke invitations');
    const after = withoutInvitation(before, invitationId, now);
    return { after, audit: [invitationAuditEntry('invitation.revoked', author, after, invitation)] };
  });
}
