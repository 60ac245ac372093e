import type { Context } from '../../context.ts';
import { isTeamNotice } from '../../notices/team-notice.ts';
import type { Outgoing } from '../../outbox/outgoing.ts';
import type { Letter } from '../letter.ts';
import type { MailTopic } from '../mail.ts';
import { writeAccountLetter } from './write-account-letter.ts';
import { writeInvitationLetter } from './write-invitation-letter.ts';
import { writePasswordResetLetter } from './write-password-reset-letter.ts';
import { writeTeamLetter } from './write-team-letter.ts';

/** The letter of a mail, from what is stored now. Null when its subject no longer applies. */
export function writeLetter(context: Context, { _id, topic }: Outgoing<MailTopic>): Promise<Letter | null> {
  if (topic.type === 'password-reset') return writePasswordResetLetter(context, { mailId: _id, ...topic });
  const { entry, member_id } = topic;
  if (member_id === null) return writeInvitationLetter(context, entry);
  return (isTeamNotice(entry) ? writeTeamLetter : writeAccountLetter)(context, entry, member_id);
}
