import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { withPassword } from '../members/member.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { findResetLink, openResetLink, resetLinkNotFound } from './find-reset-link.ts';

/** Sets a new password with a reset link, which is consumed, and ends all sessions. Throws `not-found`. */
export async function resetPassword(
  context: Context,
  request: { token: string; password: string } & Origin,
): Promise<void> {
  const { member: found } = await findResetLink(context, request.token);
  const digest = digestToken(request.token);
  const password = await context.passwords.hash(request.password, request.address);
  const author = provenAuthor(found, request);
  await changeMember(context, { teamId: found.teamId, memberId: found.id }, (before, now) => {
    if (!openResetLink(before, digest, now.getTime())) throw resetLinkNotFound();
    const after = withPassword(before, password, now);
    return { after, audit: [memberAuditEntry('member.password_reset', author, after, now)] };
  });
}
