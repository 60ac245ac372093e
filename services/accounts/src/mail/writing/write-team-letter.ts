import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { Context } from '../../context.ts';
import { mailedTopics } from '../../members/team-mail.ts';
import { teamNotice } from '../../notices/team-notice.ts';
import type { Letter } from '../letter.ts';
import { teamLetter } from '../letters/team-letter.ts';
import { findRecipient } from './find-recipient.ts';

/** Null when the member has left the team, or did not choose the topic. */
export async function writeTeamLetter(
  context: Context,
  entry: AuditEntry,
  memberId: string,
): Promise<Letter | null> {
  const notice = teamNotice(entry, context.links);
  const found = await findRecipient(context, entry, memberId);
  if (!notice || !found?.member.email) return null;
  if (!mailedTopics(found.member).includes(notice.topic)) return null;
  return teamLetter(notice, entry, { to: found.member.email, teamName: found.team.name });
}
