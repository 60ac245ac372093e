import type { DashboardLinks } from '../../notices/dashboard-links.ts';
import { timeText } from '../../notices/time-text.ts';
import type { Letter } from '../letter.ts';

export interface PasswordResetContent {
  /** The email that was entered, which is the recipient. */
  email: string;
  /** IP address of the request; null if unknown. */
  address: string | null;
  /** One for each account with the email. */
  resets: { teamName: string; token: string }[];
  expiresAt: Date;
}

/** The letter with a link for each account that may get a new password. */
export function passwordResetLetter(
  { email, address, resets, expiresAt }: PasswordResetContent,
  links: DashboardLinks,
): Letter {
  const from = address === null ? '' : ` The request came from the IP address ${address}.`;
  return {
    to: email,
    subject: 'Reset your Tollgate password',
    paragraphs: [
      `Someone asked for a new password for ${email}.${from}`,
      `${resets.length === 1 ? 'The link works' : 'Each link works'} once, until ${timeText(expiresAt)}. A later request replaces it.`,
    ],
    links: resets.map(({ teamName, token }) => ({
      label: `Set a new password for ${teamName}`,
      url: links.resetLink(token),
    })),
    unexpected: 'If this was not you, ignore this email. Your password stays the same.',
  };
}
