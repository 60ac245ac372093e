import type { Letter } from './letter.ts';
import { accountLetter } from './letters/account-letter.ts';
import { invitationLetter } from './letters/invitation-letter.ts';
import type { LetterContext } from './letters/letter-context.ts';
import { passwordResetLetter } from './letters/password-reset-letter.ts';
import { isTeamNews, teamLetter } from './letters/team-letter.ts';
import type { MailTopic } from './mail.ts';

/** The letter of a mail, from what is stored now. Null when there is nothing to tell any more. */
export function writeLetter(context: LetterContext, topic: MailTopic): Promise<Letter | null> {
  if (topic.type === 'password-reset') return passwordResetLetter(context, topic);
  if (topic.memberId === null) return invitationLetter(context, topic.entry);
  const { entry, memberId } = topic;
  return isTeamNews(entry) ? teamLetter(context, entry, memberId) : accountLetter(context, entry, memberId);
}
