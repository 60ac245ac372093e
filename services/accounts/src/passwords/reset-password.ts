import { Problem } from '@tollgate/contracts/problem';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { type Member, withPassword } from '../members/member.ts';
import { digestToken } from '../opaque-token.ts';
import { type Origin, provenAuthor } from '../origin.ts';
import { roleIn } from '../teams/team.ts';

/** Sets a new password with a reset link, which is consumed, and ends all sessions. Throws `not-found`. */
export async function resetPassword(
  context: Context,
  request: { token: string; password: string } & Origin,
): Promise<void> {
  const digest = digestToken(request.token);
  const found = await context.members.findByResetToken(digest);
  if (!found || !isOpenLink(found, digest, context.clock.now())) throw linkNotFound();
  const team = await context.teams.find(found.teamId);
  if (!team || !roleIn(team, found.id)) throw linkNotFound();
  const password = await context.passwords.hash(request.password, request.address);
  const author = provenAuthor(found, request);
  await changeMember(context, { teamId: found.teamId, memberId: found.id }, (before, now) => {
    if (!isOpenLink(before, digest, now.getTime())) throw linkNotFound();
    const after = withPassword(before, password, now);
    return { after, audit: [memberAuditEntry('member.password_reset', author, after, now)] };
  });
}

function isOpenLink({ resetLink }: Member, digest: string, nowMs: number): boolean {
  return resetLink?.tokenDigest === digest && resetLink.expiresAt.getTime() > nowMs;
}

function linkNotFound(): Problem {
  return new Problem(
    'not-found',
    'The link is not valid: it was used, was replaced, or has expired. Ask an owner of your team for a new one.',
  );
}
