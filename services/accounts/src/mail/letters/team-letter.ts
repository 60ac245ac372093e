import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { TeamNotice } from '../../notices/team-notice.ts';
import type { Letter } from '../letter.ts';
import { memberFacts, type Recipient } from './member-facts.ts';

/** The letter of a notice about an entry. */
export function teamLetter(notice: TeamNotice, entry: AuditEntry, recipient: Recipient): Letter {
  return {
    to: recipient.to,
    subject: notice.subject,
    paragraphs: [notice.paragraph],
    facts: memberFacts(entry, recipient),
    links: [notice.link],
    unexpected: 'You can choose which mail about your team you get on the page of your account.',
  };
}
