import { newId } from '@tollgate/contracts/platform/ids';
import { changeAudited } from '@tollgate/store/audited-records';
import { memberEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { changedMember, type Member, type ResetLink } from '../members/member.ts';
import { type Origin, unprovenAuthor } from '../origin.ts';
import { newResetLink } from './reset-link.ts';

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
  { _id, team_id, email }: Member,
  { mailId, origin }: { mailId: string; origin: Origin },
): Promise<{ token: string; expiresAt: Date } | null> {
  const fields = { id: newId('resetLink'), removes_totp: false, mail_id: mailId };
  const { token, link } = newResetLink(fields, context.clock.now());
  const created = memberEntry('member.reset_link_created', unprovenAuthor(origin));
  const { reset_link } = await changeAudited(
    context,
    context.members,
    { _id, team_id },
    (before, now) => {
      const { reset_link: current } = before;
      if (before.email !== email) return before;
      const isOpen = current !== null && current.expires_at > now;
      if (isOpen && current.mail_id === null) return before;
      if (current?.mail_id && isLater(current.mail_id, mailId)) return before;
      const isSame = isOpen && current.mail_id === mailId;
      return changedMember(before, { reset_link: isSame ? withToken(current, link) : link }, now);
    },
    (before, after) => (before.reset_link?.id === after.reset_link?.id ? [] : created(before, after)),
  );
  return reset_link?.token_digest === link.token_digest ? { token, expiresAt: reset_link.expires_at } : null;
}

/** Ids sort by the time of the request. */
function isLater(mailId: string, than: string): boolean {
  return mailId > than;
}

function withToken(link: ResetLink, { token_digest }: ResetLink): ResetLink {
  const earlier_token_digests = [...link.earlier_token_digests, link.token_digest].slice(-MAX_EARLIER_TOKENS);
  return { ...link, token_digest, earlier_token_digests };
}
