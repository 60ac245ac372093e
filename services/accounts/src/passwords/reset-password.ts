import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { type Member, withResetPassword } from '../members/member.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { findResetLink, openResetLink, resetLinkNotFound } from './find-reset-link.ts';
import { hashNewPassword } from './hash-new-password.ts';

/**
 * Sets a new password with a reset link, which is consumed, and ends all sessions. A link of the operator can also turn off
 * two-factor authentication, and remove passkeys. Throws `not-found`, `sso-required`, `invalid-request`.
 */
export async function resetPassword(
  context: Context,
  request: { token: string; password: string } & Origin,
): Promise<void> {
  const { member: found, role } = await findResetLink(context, request.token);
  await requirePasswordAllowed(context, { member: found, role });
  const digest = digestToken(request.token);
  const password = await hashNewPassword(context, { ...request, pointer: '/password' });
  const author = provenAuthor(found, request);
  await changeMember(context, { teamId: found.teamId, memberId: found.id }, (before, now) => {
    const link = openResetLink(before, digest, now.getTime());
    if (!link) throw resetLinkNotFound();
    const after = withResetPassword(before, link, password, now);
    const entry = (action: AuditAction, changes?: AuditEntry['changes']) =>
      memberAuditEntry(action, author, after, now, changes);
    const audit = [entry('member.password_reset')];
    if (before.totp && !after.totp) audit.push(entry('member.totp_disabled'));
    for (const { name } of removedPasskeys(before, after))
      audit.push(entry('member.passkey_removed', { name: { before: name, after: null } }));
    return { after, audit };
  });
}

function removedPasskeys(before: Member, after: Member): Passkey[] {
  return before.passkeys.filter((passkey) => !after.passkeys.includes(passkey));
}
