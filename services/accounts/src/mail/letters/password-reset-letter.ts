import { newId } from '@tollgate/contracts/ids';
import { changeMember } from '../../members/change-member.ts';
import { listAccounts } from '../../members/list-accounts.ts';
import { timeText } from '../../notices/time-text.ts';
import { type Origin, unprovenAuthor } from '../../origin.ts';
import { newResetLink, withResetLink } from '../../passwords/new-reset-link.ts';
import { isSsoRequired } from '../../sso/require-password-allowed.ts';
import type { Letter } from '../letter.ts';
import type { LetterContext } from './letter-context.ts';

/**
 * A letter with a new reset link for each account of the email that may have a password. Null when there is none. The second factor stays, so that
 * the mailbox alone does not open an account that has one. A repeated attempt creates new links: only the newest letter works.
 */
export async function passwordResetLetter(
  context: LetterContext,
  { email, origin }: { email: string; origin: Origin },
): Promise<Letter | null> {
  const links = [];
  let expiresAt = new Date(context.clock.now());
  for (const { team, member, role } of await listAccounts(context, email)) {
    if (await isSsoRequired(context, { member, role })) continue;
    const { token, link } = newResetLink({ id: newId('resetLink'), removesTotp: false }, context.clock.now());
    await changeMember(context, { teamId: team.id, memberId: member.id }, (before, now) =>
      withResetLink(before, link, unprovenAuthor(origin), now),
    );
    links.push({ label: `Set a new password for ${team.name}`, url: context.links.resetLink(token) });
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
