import { newId } from '@tollgate/contracts/ids';
import type { Context } from '../../context.ts';
import { changeMember } from '../../members/change-member.ts';
import { listAccounts } from '../../members/list-accounts.ts';
import { type Origin, unprovenAuthor } from '../../origin.ts';
import { newResetLink, withResetLink } from '../../passwords/new-reset-link.ts';
import { isSsoRequired } from '../../sso/require-password-allowed.ts';
import type { Letter } from '../letter.ts';
import { type PasswordResetContent, passwordResetLetter } from '../letters/password-reset-letter.ts';

/**
 * A letter with a new reset link for each account of the email that may have a password. Null when there is none. The second factor stays, so that
 * the mailbox alone does not open an account that has one. A repeated attempt creates new links: only the newest letter works.
 */
export async function writePasswordResetLetter(
  context: Context,
  { email, origin }: { email: string; origin: Origin },
): Promise<Letter | null> {
  const resets: PasswordResetContent['resets'] = [];
  let expiresAt = new Date(context.clock.now());
  for (const { team, member, role } of await listAccounts(context, email)) {
    if (await isSsoRequired(context, { member, role })) continue;
    const { token, link } = newResetLink({ id: newId('resetLink'), removesTotp: false }, context.clock.now());
    await changeMember(context, { teamId: team.id, memberId: member.id }, (before, now) =>
      withResetLink(before, link, unprovenAuthor(origin), now),
    );
    resets.push({ teamName: team.name, token });
    expiresAt = link.expiresAt;
  }
  if (resets.length === 0) return null;
  return passwordResetLetter({ email, address: origin.address, resets, expiresAt }, context.links);
}
