import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import type { DashboardLinks } from '../../notices/dashboard-links.ts';
import type { Letter } from '../letter.ts';
import { memberFacts, type Recipient } from './member-facts.ts';

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
const NOTICES = {
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
    paragraph:
      'Your password was changed. Your other sessions and the access of programs that act for you have ended.',
    unexpected: ASK_AN_OWNER,
  },
  'member.password_reset': {
    subject: 'Your Tollgate password was reset',
    paragraph:
      'A new password was set with a reset link. All your sessions and the access of programs that act for you have ended.',
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
} satisfies Partial<Record<AuditAction, Notice>>;

const NOTICE_BY_ACTION: Partial<Record<AuditAction, Notice>> = NOTICES;

/** The member whom a letter about their own account is for; null for an entry without such a letter. */
export function accountLetterMember({ action, actor, target, changes }: AuditEntry): string | null {
  if (!NOTICE_BY_ACTION[action]) return null;
  if (action === 'member.signed_in') return changes['new_device'] ? actor.id : null;
  return target.id;
}

/** The letter to a member about their own account; null for an entry without one. */
export function accountLetter(entry: AuditEntry, recipient: Recipient, links: DashboardLinks): Letter | null {
  const notice = NOTICE_BY_ACTION[entry.action];
  if (!notice) return null;
  const { ip, user_agent } = entry.context;
  return {
    to: recipient.to,
    subject: notice.subject,
    paragraphs: [notice.paragraph],
    facts: [
      ...memberFacts(entry, recipient),
      ...(ip === null ? [] : [{ label: 'IP address', value: ip }]),
      ...(user_agent === null ? [] : [{ label: 'Browser', value: user_agent }]),
    ],
    links: [{ label: 'Review your account', url: links.account }],
    unexpected: notice.unexpected,
  };
}
