import { newId } from '@tollgate/contracts/platform/ids';
import type { Context } from '../context.ts';
import { changeMember } from '../members/change-member.ts';
import { changedMember, type Member, type ResetLink } from '../members/member.ts';
import { type Origin, unprovenAuthor } from '../origin.ts';
import { newResetLink, withResetLink } from './new-reset-link.ts';

/** More than the attempts to send a mail in the hour for which it waits. */
const MAX_EARLIER_TOKENS = 16;

/**
 * The token of a reset link that a mail carries, and when the link expires. An earlier attempt to send the mail may have succeeded
 * without a trace, and its token is not stored. So a repeated attempt adds a token to the same link, and each of them works. The
 * link ends as a whole: when one of its tokens is used, when it expires, or when another link replaces it.
 *
 * Null when the account has a link that must keep working: that of a later mail, or an open one that an owner or the operator
 * created. Anyone can request a mail, and so would be able to end those links. Null also when the member has changed the email
 * since it was read: the mail is for the earlier one.
 */
export async function mailedResetLink(
  context: Context,
  { teamId, id: memberId, email }: Member,
  { mailId, origin }: { mailId: string; origin: Origin },
): Promise<{ token: string; expiresAt: Date } | null> {
  const fields = { id: newId('resetLink'), removesTotp: false, mailId };
  const { token, link } = newResetLink(fields, context.clock.now());
  const { resetLink } = await changeMember(context, { teamId, memberId }, (before, now) => {
    const { resetLink: current } = before;
    if (before.email !== email) return { after: before, audit: [] };
    const isOpen = current !== null && current.expiresAt > now;
    if (isOpen && current.mailId === null) return { after: before, audit: [] };
    if (current?.mailId && isLater(current.mailId, mailId)) return { after: before, audit: [] };
    if (isOpen && current.mailId === mailId)
      return { after: changedMember(before, { resetLink: withToken(current, link) }, now), audit: [] };
    return withResetLink(before, link, unprovenAuthor(origin), now);
  });
  return resetLink?.tokenDigest === link.tokenDigest ? { token, expiresAt: resetLink.expiresAt } : null;
}

/** Ids sort by the time of the request. */
function isLater(mailId: string, than: string): boolean {
  return mailId > than;
}

function withToken(link: ResetLink, { tokenDigest }: ResetLink): ResetLink {
  const earlierDigests = [...link.earlierDigests, link.tokenDigest].slice(-MAX_EARLIER_TOKENS);
  return { ...link, tokenDigest, earlierDigests };
}
