import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Member, ResetLink } from '../members/member.ts';
import type { MemberInTeam } from '../members/member-in-team.ts';
import { digestToken } from '../opaque-token.ts';
import { roleIn } from '../teams/team.ts';

/** The open reset link of this token, and its member. Throws `not-found` for a used, replaced, expired, or unknown one. */
export async function findResetLink(
  context: Context,
  token: string,
): Promise<MemberInTeam & { link: ResetLink }> {
  const digest = digestToken(token);
  const member = await context.members.findByResetToken(digest);
  const link = member && openResetLink(member, digest, context.clock.now());
  if (!member || !link) throw resetLinkNotFound();
  const team = await context.teams.find(member.teamId);
  const role = team && roleIn(team, member.id);
  if (!role) throw resetLinkNotFound();
  return { member, role, link };
}

export function openResetLink({ resetLink }: Member, digest: string, nowMs: number): ResetLink | null {
  if (resetLink === null || resetLink.expiresAt.getTime() <= nowMs) return null;
  const { tokenDigest, earlierDigests } = resetLink;
  return tokenDigest === digest || earlierDigests.includes(digest) ? resetLink : null;
}

export function resetLinkNotFound(): Problem {
  return new Problem(
    'not-found',
    'The link is not valid: it was used, was replaced, or has expired. Ask an owner of your team, or the operator, for a new one.',
  );
}
