import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseName } from '@tollgate/contracts/platform/parse-name';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import { findActingMember } from '../access/acting-member.ts';
import { created, invitationAuditEntry, teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { InvitationWithToken } from '../invitations/create-invitation.ts';
import { newInvitationToken } from '../invitations/invitation-token.ts';
import { parseEmail } from '../members/email.ts';
import { newInvitation, newTeam, openInvitations, type Team } from './team.ts';

interface CreateTeamRequest {
  name: string;
  ownerEmail: string;
}

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
  request: CreateTeamRequest,
  call: IdempotentCall | null,
): Promise<CreatedTeam> {
  const { member } = await findActingMember(context, actor);
  if (!member.isInstallationAdmin) {
    throw new Problem('forbidden', 'Only an admin of the installation can create teams.');
  }
  return createOnce(context, actor, call, {
    newId: () => newId('team'),
    idOf: ({ team }) => team.id,
    find: (id) => findCreatedTeam(context, id, request),
    create: (reserveId) => insertTeam(context, actor, request, reserveId),
  });
}

/** The team with the invitation of the first owner while it is open. */
async function findCreatedTeam(
  { teams, clock }: Context,
  teamId: string,
  { ownerEmail }: CreateTeamRequest,
): Promise<CreatedTeam | null> {
  const team = await teams.find(teamId);
  if (!team) return null;
  const email = parseEmail(ownerEmail, '/owner_email');
  const open = openInvitations(team, new Date(clock.now()));
  const invitation = open.find((each) => each.email === email && each.role === 'owner');
  return { team, invitation: invitation ? { invitation, token: null } : null };
}

async function insertTeam(
  context: Context,
  actor: MemberActor,
  request: CreateTeamRequest,
  reserveId: () => Promise<string>,
): Promise<CreatedTeam> {
  const now = new Date(context.clock.now());
  const name = parseName(request.name);
  const email = parseEmail(request.ownerEmail, '/owner_email');
  const id = newId('invitation');
  const { token, stored } = newInvitationToken(context, id);
  const invitedBy = actor.member_id;
  const invitation = newInvitation({ id, email, role: 'owner', ...stored, invitedBy }, now);
  const team = newTeam({ id: await reserveId(), name, memberships: [], invitations: [invitation] }, now);
  const author = actorAuthor(actor);
  const audit = [
    teamAuditEntry('team.created', author, team, { name: created(name) }),
    invitationAuditEntry('invitation.created', author, team, invitation),
  ].map((entry) => signAuditEntry(context.signer, entry));
  await context.teams.insert(team, audit);
  context.audit.enqueue(audit.map((entry) => auditMessage(team.id, entry)));
  return { team, invitation: { invitation, token } };
}
