import { DAY_MS } from '@tollgate/contracts/platform/durations';
import type { AuditAuthor } from '@tollgate/store/audit-author';
import { memberAuditEntry } from '../audit-entry.ts';
import type { MemberChange } from '../members/change-member.ts';
import { changedMember, type Member, type ResetLink } from '../members/member.ts';
import { newOpaqueToken } from '../opaque-token.ts';

const RESET_LINK_LIFETIME_MS = DAY_MS;

/** A link for a new password, and its token, which is not stored. `mailId` is the mail that carries it; null for none. */
export function newResetLink(
  fields: { id: string; removesTotp: boolean; mailId: string | null },
  nowMs: number,
): { token: string; link: ResetLink } {
  const { token, digest } = newOpaqueToken();
  const expiresAt = new Date(nowMs + RESET_LINK_LIFETIME_MS);
  return { token, link: { ...fields, tokenDigest: digest, earlierDigests: [], expiresAt } };
}

/** The account with the link, which replaces an earlier one. */
export function withResetLink(before: Member, link: ResetLink, author: AuditAuthor, now: Date): MemberChange {
  const after = changedMember(before, { resetLink: link }, now);
  return { after, audit: [memberAuditEntry('member.reset_link_created', author, after, now)] };
}
