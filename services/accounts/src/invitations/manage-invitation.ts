import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { revokeInvitation as contract } from '@tollgate/contracts/accounts/rpc';
import type { AuditAction } from '@tollgate/contracts/audit/audit';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRecentAuthentication } from '@tollgate/security/require-recent-authentication';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { invitationEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import {
  changedTeam,
  type Invitation,
  openInvitations,
  type Team,
  withoutInvitation,
} from '../teams/team.ts';
import { type InvitationWithToken, readInvitationToken } from './invitation-token.ts';

type Request = Static<typeof contract.request>;

/** Has the link of an open invitation mailed again: the mail follows from the audit entry. Throws `forbidden`, `not-found`, `conflict`. */
export function resendInvitation(
  context: Context,
  actor: MemberActor,
  request: Request,
): Promise<Invitation> {
  return changeInvitation(context, actor, request, 'invitation.resent', (before, now) => {
    requireRole(before, actor, 'owner', 'send invitations again');
    if (!context.sendsMail)
      throw new Problem('conflict', 'This installation sends no email. Show the link, and send it yourself.');
    return changedTeam(before, {}, now);
  });
}

/** An open invitation with the token of its link, for owners. Throws `forbidden`, `reauthentication-required`, `not-found`. */
export async function revealInvitationLink(
  context: Context,
  actor: MemberActor,
  request: Request,
): Promise<InvitationWithToken & { token: string }> {
  const invitation = await changeInvitation(
    context,
    actor,
    request,
    'invitation.link_revealed',
    (before, now) => {
      requireRole(before, actor, 'owner', 'show links of invitations');
      requireRecentAuthentication(actor, context.clock.now(), 'show the link of an invitation');
      return changedTeam(before, {}, now);
    },
  );
  return { invitation, token: readInvitationToken(context, invitation) };
}

/** Revokes an open invitation: its link stops working. Throws `forbidden`, `not-found`. */
export function revokeInvitation(
  context: Context,
  actor: MemberActor,
  request: Request,
): Promise<Invitation> {
  return changeInvitation(context, actor, request, 'invitation.revoked', (before, now) => {
    requireRole(before, actor, 'owner', 'revoke invitations');
    return withoutInvitation(before, request.invitation_id, now);
  });
}

/** Changes the team because of one of its open invitations, and returns the invitation. Throws `forbidden`, `not-found`. */
async function changeInvitation(
  context: Context,
  actor: MemberActor,
  { invitation_id }: Request,
  action: AuditAction,
  decide: (before: Team, now: Date) => Team,
): Promise<Invitation> {
  const { team } = await findActingMember(context, actor);
  const open = (before: Team, now: Date) => requireOpenInvitation(before, invitation_id, now);
  const invitation = open(team, new Date(context.clock.now()));
  await changeAudited(
    context,
    context.teams,
    { _id: team._id },
    (before, now) => {
      open(before, now);
      return decide(before, now);
    },
    invitationEntry(action, actorAuthor(actor), invitation),
  );
  return invitation;
}

function requireOpenInvitation(team: Team, invitationId: string, now: Date): Invitation {
  const invitation = openInvitations(team, now).find(({ id }) => id === invitationId);
  if (!invitation) throw new Problem('not-found', `Your team has no open invitation ${invitationId}.`);
  return invitation;
}
