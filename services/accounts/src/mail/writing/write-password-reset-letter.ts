import type { Context } from '../../context.ts';
import { listAccounts } from '../../members/list-accounts.ts';
import type { Origin } from '../../origin.ts';
import { mailedResetLink } from '../../passwords/mailed-reset-link.ts';
import { isSsoRequired } from '../../sso/require-password-allowed.ts';
import type { Letter } from '../letter.ts';
import { type PasswordResetContent, passwordResetLetter } from '../letters/password-reset-letter.ts';

/**
 * A letter with a new reset link for each account of the email that may have a password. Null when there is none. The second factor stays, so that
 * the mailbox alone does not open an account that has one.
 */
export async function writePasswordResetLetter(
  context: Context,
  { mailId, email, origin }: { mailId: string; email: string; origin: Origin },
): Promise<Letter | null> {
  const resets: PasswordResetContent['resets'] = [];
  let expiresAt = new Date(context.clock.now());
  for (const { team, member, role } of await listAccounts(context, email)) {
    if (await isSsoRequired(context, { member, role })) continue;
    const link = await mailedResetLink(context, member, { mailId, origin });
    if (link === null) continue;
    resets.push({ teamName: team.name, token: link.token });
    expiresAt = link.expiresAt;
  }
  if (resets.length === 0) return null;
  return passwordResetLetter({ email, address: origin.address, resets, expiresAt }, context.links);
}
