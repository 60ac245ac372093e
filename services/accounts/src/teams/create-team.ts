import type { MemberActor } from '@tollgate/contracts/actor';
import { parseName } from '@tollgate/contracts/parse-name';
import { Problem } from '@tollgate/contracts/problem';
import { actorAuthor } from '@tollgate/store/audit-author';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { findActingMember } from '../access/acting-member.ts';
import { created, invitationAuditEntry, teamAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { InvitationWithToken } from '../invitations/create-invitation.ts';
import { parseEmail } from '../members/email.ts';
import { newOpaqueToken } from '../opaque-token.ts';
import { newInvitation, newTeam, type Team } from './team.ts';

/**
 * Creates a team that contains only an invitation for its first owner; the creator does not become a member. Throws
 * `forbidden`, `invalid-request`.
 */
export async function createTeam(
  context: Context,
  actor: MemberActor,
  request: { name: string; ownerEmail: string },
): Promise<{ team: Team } & InvitationWithToken> {
  const { member } = await findActingMember(context, actor);
  if (!member.isInstallationAdmin) {
    throw new Problem('forbidden', 'Only an admin of the installation can create teams.');
  }
  const now = new Date(context.clock.now());
  const name = parseName(request.name);
  const email = parseEmail(request.ownerEmail, '/owner_email');
  const { token, digest } = newOpaqueToken();
  const invitedBy = actor.member_id;
  const invitation = newInvitation({ email, role: 'owner', tokenDigest: digest, invitedBy }, now);
  const team = newTeam({ name, memberships: [], invitations: [invitation] }, now);
  const author = actorAuthor(actor);
  const audit = [
    teamAuditEntry('team.created', author, team, { name: created(name) }),
    invitationAuditEntry('invitation.created', author, team, invitation),
  ];
  await context.teams.insert(team, audit);
  context.audit.enqueue(audit.map((entry) => auditMessage(team.id, entry)));
  return { team, invitation, token };
}
