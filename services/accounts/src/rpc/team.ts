import { type Handlers, nothing } from '@tollgate/bus/rpc';
import type * as contract from '@tollgate/contracts/accounts/rpc';
import { wholeList } from '@tollgate/contracts/platform/page';
import { findActingTeam, findOwnTeam } from '../access/acting-team.ts';
import type { Context } from '../context.ts';
import { createInvitation } from '../invitations/create-invitation.ts';
import { listInvitations } from '../invitations/list-invitations.ts';
import {
  resendInvitation,
  revealInvitationLink,
  revokeInvitation,
} from '../invitations/manage-invitation.ts';
import { changeRole } from '../members/change-role.ts';
import { removeMember } from '../members/remove-member.ts';
import { createResetLink } from '../passwords/create-reset-link.ts';
import { endMemberSessions } from '../sessions/end-sessions.ts';
import { renameTeam, setSecondFactorPolicy } from '../teams/change-team.ts';
import { createTeam } from '../teams/create-team.ts';
import { roleIn } from '../teams/team.ts';
import { createdInvitationToWire, invitationToWire, memberToWire, teamToWire } from './wire.ts';

/** Methods for the team, limited by the member's role. */
export function teamHandlers(context: Context) {
  return {
    getTeam: async ({ team_id }, { actor }) => teamToWire(await findOwnTeam(context, actor, team_id)),
    renameTeam: async (request, { actor }) => teamToWire(await renameTeam(context, actor, request)),
    setSecondFactorPolicy: async (request, { actor }) =>
      teamToWire(await setSecondFactorPolicy(context, actor, request)),
    async createTeam(request, { actor, idempotentCall }) {
      const { team, invitation } = await createTeam(context, actor, request, idempotentCall);
      return { team: teamToWire(team), invitation: invitation && createdInvitationToWire(invitation) };
    },
    /** Every member may read. The oldest account is first. */
    async listMembers(_request, { actor }) {
      const team = await findActingTeam(context, actor);
      const ids = team.members.map(({ member_id }) => member_id);
      const members = await context.members.listOfTeam(team._id, ids);
      return wholeList(
        members.flatMap((member) => {
          const role = roleIn(team, member._id);
          return role ? [memberToWire({ member, role })] : [];
        }),
      );
    },
    changeRole: async (request, { actor }) => memberToWire(await changeRole(context, actor, request)),
    removeMember: (request, { actor }) => nothing(removeMember(context, actor, request)),
    endMemberSessions: (request, { actor }) => nothing(endMemberSessions(context, actor, request)),
    async createResetLink(request, { actor, idempotentCall }) {
      const { token, link } = await createResetLink(context, actor, request, idempotentCall);
      return { token, expires_at: link.expires_at.toISOString() };
    },
    createInvitation: async (request, { actor, idempotentCall }) =>
      createdInvitationToWire(await createInvitation(context, actor, request, idempotentCall)),
    listInvitations: async (_request, { actor }) =>
      wholeList((await listInvitations(context, actor)).map(invitationToWire)),
    async revealInvitationLink(request, { actor }) {
      const { invitation, token } = await revealInvitationLink(context, actor, request);
      return { email: invitation.email, token, expires_at: invitation.expires_at.toISOString() };
    },
    resendInvitation: (request, { actor }) => nothing(resendInvitation(context, actor, request)),
    revokeInvitation: (request, { actor }) => nothing(revokeInvitation(context, actor, request)),
  } satisfies Partial<Handlers<typeof contract>>;
}
