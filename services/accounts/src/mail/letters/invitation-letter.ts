import type { AuditEntry } from '@tollgate/contracts/audit';
import type { Role } from '@tollgate/contracts/roles';
import { readInvitationToken } from '../../invitations/invitation-token.ts';
import { timeText } from '../../notices/time-text.ts';
import { openInvitations } from '../../teams/team.ts';
import type { Letter } from '../letter.ts';
import type { LetterContext } from './letter-context.ts';

const WITH_ARTICLE: Record<Role, string> = {
  viewer: 'a viewer',
  developer: 'a developer',
  admin: 'an admin',
  owner: 'an owner',
};

/** For the invited person. Null when the invitation is no longer open. */
export async function invitationLetter(context: LetterContext, entry: AuditEntry): Promise<Letter | null> {
  const team = await context.teams.find(entry.team_id);
  const open = team && openInvitations(team, new Date(context.clock.now()));
  const invitation = open?.find(({ id }) => id === entry.target.id);
  const token = invitation && readInvitationToken(context, invitation);
  if (!team || !invitation || !token) return null;
  const inviter = entry.actor.name ?? 'A member';
  return {
    to: invitation.email,
    subject: `Join ${team.name} on Tollgate`,
    paragraphs: [
      `${inviter} invited you to the team ${team.name} as ${WITH_ARTICLE[invitation.role]}.`,
      `The link works once, until ${timeText(invitation.expiresAt)}.`,
    ],
    links: [{ label: 'Accept the invitation', url: context.links.invitation(token) }],
    unexpected: 'If you do not expect this invitation, ignore this email.',
  };
}
