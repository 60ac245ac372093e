import { listAccounts } from '../../members/list-accounts.ts';
import { timeText } from '../../notices/time-text.ts';
import type { Origin } from '../../origin.ts';
import { mailedResetLink } from '../../passwords/mailed-reset-link.ts';
import { isSsoRequired } from '../../sso/require-password-allowed.ts';
import type { Letter } from '../letter.ts';
import type { LetterContext } from './letter-context.ts';

/**
 * A letter with a new reset link for each account of the email that may have a password. Null when there is none. The second factor stays, so that
 * the mailbox alone does not open an account that has one.
 */
export async function passwordResetLetter(
  context: LetterContext,
  { mailId, email, origin }: { mailId: string; email: string; origin: Origin },
): Promise<Letter | null> {
  const links = [];
  let expiresAt = new Date(context.clock.now());
  for (const { team, member, role } of await listAccounts(context, email)) {
    if (await isSsoRequired(context, { member, role })) continue;
    const link = await mailedResetLink(context, member, { mailId, origin });
    if (link === null) continue;
    links.push({ label: `Set a new password for ${team.name}`, url: context.links.resetLink(link.token) });
    expiresAt = link.expiresAt;
  }
  if (links.length === 0) return null;
  const from = origin.address === null ? '' : ` The request came from the IP address ${origin.address}.`;
  return {
    to: email,
    subject: 'Reset your Tollgate password',
    paragraphs: [
      `Someone asked for a new password for ${email}.${from}`,
      `${links.length === 1 ? 'The link works' : 'Each link works'} once, until ${timeText(expiresAt)}. A later request replaces it.`,
    ],
    links,
    unexpected: 'If this was not you, ignore this email. Your password stays the same.',
  };
}
