import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Context } from '../../context.ts';
import { readInvitationToken } from '../../invitations/invitation-token.ts';
import { openInvitations } from '../../teams/team.ts';
import type { Letter } from '../letter.ts';
import { invitationLetter } from '../letters/invitation-letter.ts';

/** The letter for the invited person. Null when the invitation is no longer open. */
export async function writeInvitationLetter(context: Context, entry: AuditEntry): Promise<Letter | null> {
  const team = await context.teams.find(entry.team_id);
  const open = team && openInvitations(team, new Date(context.clock.now()));
  const invitation = open?.find(({ id }) => id === entry.target.id);
  if (!team || !invitation) return null;
  const { email, role, expires_at: expiresAt } = invitation;
  const token = readInvitationToken(context, invitation);
  return invitationLetter(
    { to: email, teamName: team.name, inviterName: entry.actor.name, role, expiresAt, token },
    context.links,
  );
}
