import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit';
import { HOUR_MS } from '@tollgate/contracts/durations';
import type { Member } from '../../members/member.ts';
import type { Letter } from '../letter.ts';
import { findRecipient } from './find-recipient.ts';
import type { LetterContext } from './letter-context.ts';

/** A person who joins a team signs in at once. That device is new, and no news. */
const FIRST_SIGN_IN_MS = HOUR_MS;

const SECURE_THE_ACCOUNT =
  'If this was not you, change your password, and end your other sessions. If you cannot sign in, ask an owner of your team for a reset link.';
const ASK_AN_OWNER =
  'If this was not you, ask an owner of your team to end your sessions and to create a reset link for you.';

interface Notice {
  subject: string;
  paragraph: string;
  unexpected: string;
}

/** Notices to a member about their own account, by action. */
const NOTICES: Partial<Record<AuditAction, Notice>> = {
  'member.signed_in': {
    subject: 'New sign-in to your Tollgate account',
    paragraph: 'Your account was signed in to on a new device.',
    unexpected: SECURE_THE_ACCOUNT,
  },
  'member.recovery_code_used': {
    subject: 'A recovery code of your Tollgate account was used',
    paragraph: 'A recovery code was used to sign in. It cannot be used again.',
    unexpected: SECURE_THE_ACCOUNT,
  },
  'member.password_changed': {
    subject: 'Your Tollgate password was changed',
    paragraph: 'Your password was changed. Your other sessions have ended.',
    unexpected: ASK_AN_OWNER,
  },
  'member.password_reset': {
    subject: 'Your Tollgate password was reset',
    paragraph: 'A new password was set with a reset link. All your sessions have ended.',
    unexpected: ASK_AN_OWNER,
  },
  'member.email_changed': {
    subject: 'The email of your Tollgate account was changed',
    paragraph:
      'The email of your account was changed. This address no longer receives mail about the account.',
    unexpected: ASK_AN_OWNER,
  },
  'member.totp_disabled': {
    subject: 'The authenticator app was removed from your Tollgate account',
    paragraph: 'Signing in no longer requires a code from the app. Passkeys of your account stay.',
    unexpected: SECURE_THE_ACCOUNT,
  },
  'member.passkey_added': {
    subject: 'A passkey was added to your Tollgate account',
    paragraph: 'The passkey can be used to sign in to your account.',
    unexpected: SECURE_THE_ACCOUNT,
  },
  'member.passkey_removed': {
    subject: 'A passkey was removed from your Tollgate account',
    paragraph: 'The passkey can no longer be used to sign in to your account.',
    unexpected: SECURE_THE_ACCOUNT,
  },
};

/** The member whom a letter about their own account is for; null for an entry without such a letter. */
export function accountLetterMember({ action, actor, target, changes }: AuditEntry): string | null {
  if (!NOTICES[action]) return null;
  if (action === 'member.signed_in') return changes['new_device'] ? actor.id : null;
  return target.id;
}

/** Null when the member has left the team. */
export async function accountLetter(
  context: LetterContext,
  entry: AuditEntry,
  memberId: string,
): Promise<Letter | null> {
  const notice = NOTICES[entry.action];
  const recipient = await findRecipient(context, entry, memberId);
  const to = recipient && addressOf(entry, recipient.member);
  if (!notice || !recipient || !to || isFirstSignIn(entry, recipient.member)) return null;
  const { ip, user_agent } = entry.context;
  return {
    to,
    subject: notice.subject,
    paragraphs: [notice.paragraph],
    facts: [
      ...recipient.facts,
      ...(ip === null ? [] : [{ label: 'IP address', value: ip }]),
      ...(user_agent === null ? [] : [{ label: 'Browser', value: user_agent }]),
    ],
    links: [{ label: 'Review your account', url: context.links.account }],
    unexpected: notice.unexpected,
  };
}

function isFirstSignIn({ action, occurred_at }: AuditEntry, { createdAt }: Member): boolean {
  return action === 'member.signed_in' && Date.parse(occurred_at) - createdAt.getTime() < FIRST_SIGN_IN_MS;
}

/** A changed email is reported to the earlier address: the new one may be an attacker's. */
function addressOf({ action, changes }: AuditEntry, member: Member): string | null {
  if (action !== 'member.email_changed') return member.email;
  const before = changes['email']?.before;
  return typeof before === 'string' ? before : null;
}
