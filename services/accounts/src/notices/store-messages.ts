import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import { chatMessageAbout } from '../chat/chat-message.ts';
import type { Context } from '../context.ts';
import { mailsAbout } from '../mail/mails-about.ts';
import { NOTICE_MAX_AGE_MS } from './notice-limits.ts';
import { isTeamNotice } from './team-notice.ts';

/**
 * Stores the mails and the chat message about an entry. A repetition adds none. A notice to a team whose queue is full is not sent:
 * the audit log has its entry.
 */
export async function storeMessages(context: Context, entry: AuditEntry): Promise<void> {
  const now = new Date(context.clock.now());
  // After mail is turned on, the stream still has entries of the past week.
  if (now.getTime() - Date.parse(entry.occurred_at) > NOTICE_MAX_AGE_MS) return;
  const team = isTeamNotice(entry) ? await context.teams.find(entry.team_id) : null;
  const mails = context.sendsMail ? mailsAbout(entry, team, now) : [];
  if (team === null) {
    for (const mail of mails) await context.mails.insert(mail);
    return;
  }
  if (mails.length > 0 && (await context.mails.hasRoomFor(team._id)))
    for (const mail of mails) await context.mails.insert(mail);
  const message = chatMessageAbout(entry, team, now);
  if (message && (await context.chatMessages.hasRoomFor(team._id)))
    await context.chatMessages.insert(message);
}
