import type { AuditEntry } from '@tollgate/contracts/audit';
import { ROLE_BY_ENVIRONMENT, roleAtLeast } from '@tollgate/contracts/roles';
import { noticeOf } from '../../notices/digest-notice.ts';
import type { Team } from '../../teams/team.ts';
import type { Letter } from '../letter.ts';
import { findRecipient } from './find-recipient.ts';
import type { LetterContext } from './letter-context.ts';

/** The members of the team who may act on it, without the one who did it. */
export function teamLetterMembers({ memberships }: Team, { environment, actor }: AuditEntry): string[] {
  const required = ROLE_BY_ENVIRONMENT[environment ?? 'live'];
  return memberships
    .filter(({ memberId, role }) => roleAtLeast(role, required) && memberId !== actor.id)
    .map(({ memberId }) => memberId);
}

/** Null when the member has left the team, or does not want such mail. */
export async function teamLetter(
  context: LetterContext,
  { entry, count, memberId }: { entry: AuditEntry; count: number; memberId: string },
): Promise<Letter | null> {
  const notice = noticeOf(entry, count, context.links);
  const recipient = await findRecipient(context, entry, memberId);
  if (!notice || !recipient?.member.email || !recipient.member.getsTeamMail) return null;
  return {
    to: recipient.member.email,
    subject: notice.subject,
    paragraphs: [notice.paragraph],
    facts: recipient.facts,
    links: [notice.link],
    unexpected: 'You can turn off mail about your team on the page of your account.',
  };
}
