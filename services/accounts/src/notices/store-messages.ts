import type { AuditEntry } from '@tollgate/contracts/audit';
import { chatMessageAbout } from '../chat/chat-message.ts';
import type { Context } from '../context.ts';
import { mailsAbout } from '../mail/mails-about.ts';
import type { NewOutgoing, OutboxStore } from '../outbox/outbox-store.ts';
import { NOTICE_MAX_AGE_MS } from './notice-limits.ts';
import { isTeamNotice } from './team-notice.ts';

/** Stores the mails and the chat message about an entry. A repetition adds none. */
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
  for (const mail of mails)
    await storeNotice(context, entry, context.mails, mail, `mail:${mail.topic.memberId}`);
  const message = chatMessageAbout(entry, team, now);
  if (message) await storeNotice(context, entry, context.chatMessages, message, 'chat');
}

/** The first of several notices of a kind is sent at once, the others are combined. */
async function storeNotice<Topic>(
  { bursts }: Context,
  { id: entryId, team_id: teamId, environment, action }: AuditEntry,
  outbox: OutboxStore<Topic>,
  notice: NewOutgoing<Topic>,
  recipient: string,
): Promise<void> {
  const key = `${teamId}:${recipient}:${environment}:${action}`;
  const { digest } = await bursts.place({ key, teamId }, entryId, notice.createdAt);
  if (digest && (await outbox.addToDigest({ ...notice, id: digest.id }, entryId, digest.dueAt))) return;
  await outbox.insert(notice);
}
