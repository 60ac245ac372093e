import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { createTeam as contract } from '@tollgate/contracts/accounts/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { created, invitationEntry, teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type InvitationWithToken, newInvitationToken } from '../invitations/invitation-token.ts';
import { parseEmail } from '../members/email.ts';
import { newInvitation, newTeam, openInvitations, type Team } from './team.ts';

interface CreatedTeam {
  team: Team;
  /** Null in a replay if the invitation is no longer open. */
  invitation: InvitationWithToken | null;
}

/**
 * Creates a team that contains only an invitation for its first owner; the creator does not become a member. Throws
 * `forbidden`, `invalid-request`.
 */
export async function createTeam(
  context: Context,
  actor: MemberActor,
  request: Static<typeof contract.request>,
  call: IdempotentCall | null,
): Promise<CreatedTeam> {
  const { member } = await findActingMember(context, actor);
  if (!member.is_installation_admin) {
    throw new Problem('forbidden', 'Only an admin of the installation can create teams.');
  }
  const parsedEmail = () => parseEmail(request.owner_email, '/owner_email');

  return createOnce(context, actor, call, {
    newId: () => newId('team'),
    idOf: ({ team }) => team._id,
    async find(id): Promise<CreatedTeam | null> {
      const team = await context.teams.find(id);
      if (!team) return null;
      const email = parsedEmail();
      const open = openInvitations(team, new Date(context.clock.now()));
      const invitation = open.find((each) => each.email === email && each.role === 'owner');
      return { team, invitation: invitation ? { invitation, token: null } : null };
    },
    async create(reserveId) {
      const now = new Date(context.clock.now());
      const [name, email] = [parseName(request.name), parsedEmail()];
      const id = newId('invitation');
      const { token, stored } = newInvitationToken(context, id);
      const invited_by = actor.member_id;
      const invitation = newInvitation({ id, email, role: 'owner', ...stored, invited_by }, now);
      const team = newTeam({ _id: await reserveId(), name, members: [], invitations: [invitation] }, now);
      const author = actorAuthor(actor);
      await insertAudited(context, context.teams, team, [
        teamAuditEntry('team.created', author, team, { name: created(name) }),
        invitationEntry('invitation.created', author, invitation, { role: created('owner') })(null, team),
      ]);
      return { team, invitation: { invitation, token } };
    },
  });
}
