import type { Role } from '@tollgate/contracts/platform/roles';
import type { DashboardLinks } from '../../notices/dashboard-links.ts';
import { timeText } from '../../notices/time-text.ts';
import type { Letter } from '../letter.ts';

const WITH_ARTICLE: Record<Role, string> = {
  viewer: 'a viewer',
  auditor: 'an auditor',
  developer: 'a developer',
  admin: 'an admin',
  owner: 'an owner',
};

export interface InvitationContent {
  to: string;
  teamName: string;
  /** Null if the inviter has no name. */
  inviterName: string | null;
  role: Role;
  expiresAt: Date;
  token: string;
}

/** The letter with which a person joins a team. */
export function invitationLetter(
  { to, teamName, inviterName, role, expiresAt, token }: InvitationContent,
  links: DashboardLinks,
): Letter {
  return {
    to,
    subject: `Join ${teamName} on Tollgate`,
    paragraphs: [
      `${inviterName ?? 'A member'} invited you to the team ${teamName} as ${WITH_ARTICLE[role]}.`,
      `The link works once, until ${timeText(expiresAt)}.`,
    ],
    links: [{ label: 'Accept the invitation', url: links.invitation(token) }],
    unexpected: 'If you do not expect this invitation, ignore this email.',
  };
}
