import { DAY_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { type ActingMember, inTeam } from '../access/acting-member.ts';
import type { Context } from '../context.ts';
import type { Member, ResetLink } from '../members/member.ts';
import { digestToken, newOpaqueToken } from '../opaque-token.ts';

const RESET_LINK_LIFETIME_MS = DAY_MS;

/** A link for a new password, and its token, which is not stored. `mail_id` is the mail that carries it; null for none. */
export function newResetLink(
  fields: Pick<ResetLink, 'id' | 'removes_totp' | 'mail_id'>,
  nowMs: number,
): { token: string; link: ResetLink } {
  const { token, digest } = newOpaqueToken();
  const expires_at = new Date(nowMs + RESET_LINK_LIFETIME_MS);
  return { token, link: { ...fields, token_digest: digest, earlier_token_digests: [], expires_at } };
}

/** The open reset link of this token, and its member. Throws `not-found` for a used, replaced, expired, or unknown one. */
export async function findResetLink(
  context: Context,
  token: string,
): Promise<ActingMember & { link: ResetLink }> {
  const digest = digestToken(token);
  const member = await context.members.findByResetToken(digest);
  const link = member && openResetLink(member, digest, context.clock.now());
  const account = member && (await inTeam(context, member));
  if (!account || !link) throw resetLinkNotFound();
  return { ...account, link };
}

export function openResetLink({ reset_link: link }: Member, digest: string, nowMs: number): ResetLink | null {
  if (link === null || link.expires_at.getTime() <= nowMs) return null;
  return link.token_digest === digest || link.earlier_token_digests.includes(digest) ? link : null;
}

export function resetLinkNotFound(): Problem {
  return new Problem(
    'not-found',
    'The link is not valid: it was used, was replaced, or has expired. Ask an owner of your team, or the operator, for a new one.',
  );
}
