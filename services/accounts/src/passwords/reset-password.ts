import type { resetPassword as contract } from '@tollgate/contracts/accounts/rpc';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { changeAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { withResetPassword } from '../members/member.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { requirePasswordAllowed } from '../sso/require-password-allowed.ts';
import { hashNewPassword } from './hash-new-password.ts';
import { findResetLink, openResetLink, resetLinkNotFound } from './reset-link.ts';

/**
 * Sets a new password with a reset link, which is consumed, and ends all sessions. A link of the operator can also turn off
 * two-factor authentication, and remove passkeys. Throws `not-found`, `sso-required`, `invalid-request`.
 */
export async function resetPassword(
  context: Context,
  request: Static<typeof contract.request> & Origin,
): Promise<void> {
  const found = await findResetLink(context, request.token);
  await requirePasswordAllowed(context, found);
  const digest = digestToken(request.token);
  const password = await hashNewPassword(context, { ...request, pointer: '/password' });
  const { _id, team_id } = found.member;
  const author = provenAuthor(found.member, request);
  await changeAudited(
    context,
    context.members,
    { _id, team_id },
    (before, now) => {
      const link = openResetLink(before, digest, now.getTime());
      if (!link) throw resetLinkNotFound();
      return withResetPassword(before, link, password, now);
    },
    (before, after) => {
      const entry = (action: AuditAction, changes: AuditEntry['changes'] = {}) =>
        memberEntry(action, author, () => changes)(before, after);
      const removed = before.passkeys.filter((passkey) => !after.passkeys.includes(passkey));
      return [
        entry('member.password_reset'),
        ...(before.totp && !after.totp ? [entry('member.totp_disabled')] : []),
        ...removed.map(({ name }) =>
          entry('member.passkey_removed', { name: { before: name, after: null } }),
        ),
      ];
    },
  );
}
