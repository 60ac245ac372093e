import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../../context.ts';
import type { Member } from '../../members/member.ts';
import type { Letter } from '../letter.ts';
import { accountLetter } from '../letters/account-letter.ts';
import { findRecipient } from './find-recipient.ts';

/** A person who joins a team signs in at once. That device is new, and no news. */
const FIRST_SIGN_IN_MS = HOUR_MS;

/** Null when the member has left the team. */
export async function writeAccountLetter(
  context: Context,
  entry: AuditEntry,
  memberId: string,
): Promise<Letter | null> {
  const found = await findRecipient(context, entry, memberId);
  const to = found && addressOf(entry, found.member);
  if (!found || !to || isFirstSignIn(entry, found.member)) return null;
  return accountLetter(entry, { to, teamName: found.team.name }, context.links);
}

function isFirstSignIn({ action, occurred_at }: AuditEntry, { created_at }: Member): boolean {
  return action === 'member.signed_in' && Date.parse(occurred_at) - created_at.getTime() < FIRST_SIGN_IN_MS;
}

/** A changed email is reported to the earlier address: the new one may be an attacker's. */
function addressOf({ action, changes }: AuditEntry, member: Member): string | null {
  if (action !== 'member.email_changed') return member.email;
  const before = changes['email']?.before;
  return typeof before === 'string' ? before : null;
}
