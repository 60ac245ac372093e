import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { createInvitation as contract } from '@tollgate/contracts/accounts/rpc';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { alreadyCreated, createOnce } from '@tollgate/store/create-once';
import type { Static } from 'typebox';
import { findActingMember } from '../access/acting-member.ts';
import { requireRole } from '../access/permissions.ts';
import { requireRecentAuthenticationForRoles } from '../access/recent-authentication.ts';
import { created, invitationEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { parseEmail } from '../members/email.ts';
import { newInvitation, openInvitations, roleIn, withInvitation } from '../teams/team.ts';
import { type InvitationWithToken, newInvitationToken } from './invitation-token.ts';

/**
 * Invites a person to the actor's team and replaces an open invitation of the same email. The result does not reveal
 * whether the email has an account in another team. Throws `forbidden`, `reauthentication-required`, `conflict`,
 * `invalid-request`.
 */
export async function createInvitation(
  context: Context,
  actor: MemberActor,
  request: Static<typeof contract.request>,
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
      const { team } = await findActingMember(context, actor);
      const open = openInvitations(team, new Date(context.clock.now()));
      const invitation = open.find((each) => each.id === id);
      return invitation ? { invitation, token: null } : null;
    },
    create: (reserveId) => addInvitation(context, actor, request, reserveId),
  });
}

async function addInvitation(
  context: Context,
  actor: MemberActor,
  { role, ...request }: Static<typeof contract.request>,
  reserveId: () => Promise<string>,
): Promise<InvitationWithToken> {
  const email = parseEmail(request.email);
  const accounts = await context.members.listByEmail(email);
  const id = await reserveId();
  const { token, stored } = newInvitationToken(context, id);
  const fields = { id, email, role, ...stored, invited_by: actor.member_id };
  const invitation = newInvitation(fields, new Date(context.clock.now()));
  await changeAudited(
    context,
    context.teams,
    { _id: actor.team_id },
    (before, now) => {
      requireRole(before, actor, 'owner', 'invite members');
      if (accounts.some(({ _id, team_id }) => team_id === before._id && roleIn(before, _id))) {
        throw new Problem('conflict', `${email} is already a member of the team.`);
      }
      // A concurrent request with the same idempotency key: replacing its invitation would invalidate its link.
      if (before.invitations.some((other) => other.id === id)) throw alreadyCreated();
      return withInvitation(before, invitation, now);
    },
    invitationEntry('invitation.created', actorAuthor(actor), invitation, { role: created(role) }),
  );
  return { invitation, token };
}
