import type { ServeRpc } from '@tollgate/bus/rpc';
import * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { findOwnTeam } from '../access/find-own-team.ts';
import type { Context } from '../context.ts';
import { createInvitation } from '../invitations/create-invitation.ts';
import { listInvitations } from '../invitations/list-invitations.ts';
import { resendInvitation } from '../invitations/resend-invitation.ts';
import { revealInvitationLink } from '../invitations/reveal-invitation-link.ts';
import { revokeInvitation } from '../invitations/revoke-invitation.ts';
import { changeRole } from '../members/change-role.ts';
import { listMembers } from '../members/list-members.ts';
import { removeMember } from '../members/remove-member.ts';
import { createResetLink } from '../passwords/create-reset-link.ts';
import { endMemberSessions } from '../sessions/end-member-sessions.ts';
import { createTeam } from '../teams/create-team.ts';
import { renameTeam } from '../teams/rename-team.ts';
import { setSecondFactorPolicy } from '../teams/set-second-factor-policy.ts';
import { createdInvitationToWire, invitationToWire, memberToWire, teamToWire } from './wire.ts';

/** Methods for the team, limited by the member's role. */
export function serveTeamRpc(serve: ServeRpc, context: Context) {
  return [
    serve(contract.getTeam, async ({ team_id }, { actor }) =>
      teamToWire(await findOwnTeam(context, actor, team_id)),
    ),
    serve(contract.renameTeam, async ({ team_id, name, if_version }, { actor }) =>
      teamToWire(await renameTeam(context, actor, { teamId: team_id, name, ifVersion: if_version })),
    ),
    serve(
      contract.setSecondFactorPolicy,
      async ({ team_id: teamId, grace_period_days: gracePeriodDays, if_version: ifVersion }, { actor }) =>
        teamToWire(await setSecondFactorPolicy(context, actor, { teamId, gracePeriodDays, ifVersion })),
    ),
    serve(contract.createTeam, async ({ name, owner_email }, { actor, idempotentCall }) => {
      const request = { name, ownerEmail: owner_email };
      const { team, invitation } = await createTeam(context, actor, request, idempotentCall);
      return { team: teamToWire(team), invitation: invitation && createdInvitationToWire(invitation) };
    }),
    serve(contract.listMembers, async (_request, { actor }) =>
      wholeList((await listMembers(context, actor)).map(memberToWire)),
    ),
    serve(contract.changeRole, async ({ member_id, role }, { actor }) =>
      memberToWire(await changeRole(context, actor, { memberId: member_id, role })),
    ),
    serve(contract.removeMember, async (request, { actor }) => {
      await removeMember(context, actor, { memberId: request.member_id });
      return {};
    }),
    serve(contract.endMemberSessions, async ({ member_id }, { actor }) => {
      await endMemberSessions(context, actor, member_id);
      return {};
    }),
    serve(contract.createResetLink, async (request, { actor, idempotentCall }) => {
      const { member_id: memberId, setup_token: setupToken = null } = request;
      const link = await createResetLink(context, actor, { memberId, setupToken }, idempotentCall);
      return { token: link.token, expires_at: link.expiresAt.toISOString() };
    }),
    serve(contract.createInvitation, async (request, { actor, idempotentCall }) =>
      createdInvitationToWire(await createInvitation(context, actor, request, idempotentCall)),
    ),
    serve(contract.listInvitations, async (_request, { actor }) =>
      wholeList((await listInvitations(context, actor)).map(invitationToWire)),
    ),
    serve(contract.revealInvitationLink, async (request, { actor }) => {
      const { invitation, token } = await revealInvitationLink(context, actor, {
        invitationId: request.invitation_id,
      });
      return { email: invitation.email, token, expires_at: invitation.expiresAt.toISOString() };
    }),
    serve(contract.resendInvitation, async (request, { actor }) => {
      await resendInvitation(context, actor, { invitationId: request.invitation_id });
      return {};
    }),
    serve(contract.revokeInvitation, async (request, { actor }) => {
      await revokeInvitation(context, actor, { invitationId: request.invitation_id });
      return {};
    }),
  ];
}
