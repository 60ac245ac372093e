import { isTeamNotice } from '../notices/team-notice.ts';
import type { Outgoing } from '../outbox/outgoing.ts';
import type { Letter } from './letter.ts';
import { accountLetter } from './letters/account-letter.ts';
import { invitationLetter } from './letters/invitation-letter.ts';
import type { LetterContext } from './letters/letter-context.ts';
import { passwordResetLetter } from './letters/password-reset-letter.ts';
import { teamLetter } from './letters/team-letter.ts';
import type { MailTopic } from './mail.ts';

/** The letter of a mail, from what is stored now. Null when there is nothing to tell any more. */
export function writeLetter(
  context: LetterContext,
  { id, topic, count }: Outgoing<MailTopic>,
): Promise<Letter | null> {
  if (topic.type === 'password-reset') return passwordResetLetter(context, { mailId: id, ...topic });
  if (topic.memberId === null) return invitationLetter(context, topic.entry);
  const { entry, memberId } = topic;
  if (!isTeamNotice(entry)) return accountLetter(context, entry, memberId);
  return teamLetter(context, { entry, count, memberId });
}
