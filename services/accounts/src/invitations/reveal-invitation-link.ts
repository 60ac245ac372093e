import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { invitationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeTeam } from '../teams/change-team.ts';
import { type Invitation, withRaisedVersion } from '../teams/team.ts';
import { readInvitationToken } from './invitation-token.ts';
import { requireOpenInvitation } from './require-open-invitation.ts';

/** An open invitation with the token of its link, for owners. Throws `forbidden`, `reauthentication-required`, `not-found`. */
export async function revealInvitationLink(
  context: Context,
  actor: MemberActor,
  { invitationId }: { invitationId: string },
): Promise<{ invitation: Invitation; token: string }> {
  const { team } = await findActingMember(context, actor);
  const invitation = requireOpenInvitation(team, invitationId, new Date(context.clock.now()));
  const author = actorAuthor(actor);
  await changeTeam(context, actor.team_id, (before, now) => {
    requireRole(before, actor, 'owner', 'show links of invitations');
    requireRecentAuthentication(actor, context.clock.now(), 'show the link of an invitation');
    requireOpenInvitation(before, invitationId, now);
    const after = withRaisedVersion(before, now);
    return { after, audit: [invitationAuditEntry('invitation.link_revealed', author, after, invitation)] };
  });
  return { invitation, token: readInvitationToken(context, invitation) };
}
