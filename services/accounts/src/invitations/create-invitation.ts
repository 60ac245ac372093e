import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Role } from '@tollgate/contracts/platform/roles';
import { actorAuthor } from '@tollgate/store/audit-author';
import { alreadyCreated, createOnce } from '@tollgate/store/create-once';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { invitationAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { parseEmail } from '../members/email.ts';
import { changeTeam } from '../teams/change-team.ts';
import { type Invitation, newInvitation, roleIn, withInvitation } from '../teams/team.ts';
import { newInvitationToken } from './invitation-token.ts';
import { listInvitations } from './list-invitations.ts';

/** An invitation with the token of its link; null in a replay. */
export interface InvitationWithToken {
  invitation: Invitation;
  token: string | null;
}

/**
 * Invites a person to the actor's team and replaces an open invitation of the same email. The result does not reveal
 * whether the email has an account in another team. Throws `forbidden`, `reauthentication-required`, `conflict`,
 * `invalid-request`.
 */
export async function createInvitation(
  context: Context,
  actor: MemberActor,
  request: { email: string; role: Role },
  call: IdempotentCall | null,
): Promise<InvitationWithToken> {
  const { team } = await findActingMember(context, actor);
  requireRole(team, actor, 'owner', 'invite members');
  requireRecentAuthenticationForRoles(actor, [request.role], {
    clock: context.clock,
    action: `invite an ${request.role}`,
  });
  return createOnce(context, actor, call, {
    newId: () => newId('invitation'),
    idOf: ({ invitation }) => invitation.id,
    async find(id) {
      const listed = (await listInvitations(context, actor)).find(({ invitation }) => invitation.id === id);
      return listed ? { invitation: listed.invitation, token: null } : null;
    },
    create: (reserveId) => addInvitation(context, actor, request, reserveId),
  });
}

async function addInvitation(
  context: Context,
  actor: MemberActor,
  request: { email: string; role: Role },
  reserveId: () => Promise<string>,
): Promise<InvitationWithToken> {
  const email = parseEmail(request.email);
  const accounts = await context.members.listByEmail(email);
  const author = actorAuthor(actor);
  const id = await reserveId();
  const { token, stored } = newInvitationToken(context, id);

  const changed = await changeTeam(context, actor.team_id, (before, now) => {
    requireRole(before, actor, 'owner', 'invite members');
    if (accounts.some(({ id, teamId }) => teamId === before.id && roleIn(before, id))) {
      throw new Problem('conflict', `${email} is already a member of the team.`);
    }
    // A concurrent request with the same idempotency key: replacing its invitation would invalidate its link.
    if (before.invitations.some((other) => other.id === id)) throw alreadyCreated();
    const { role } = request;
    const invitation = newInvitation({ id, email, role, ...stored, invitedBy: actor.member_id }, now);
    const after = withInvitation(before, invitation, now);
    return { after, audit: [invitationAuditEntry('invitation.created', author, after, invitation)] };
  });
  return { invitation: invitationOfToken(changed.invitations, stored.tokenDigest), token };
}

function invitationOfToken(invitations: readonly Invitation[], digest: string): Invitation {
  const invitation = invitations.find(({ tokenDigest }) => tokenDigest === digest);
  if (!invitation) throw new Error('The team was stored without its new invitation.');
  return invitation;
}
