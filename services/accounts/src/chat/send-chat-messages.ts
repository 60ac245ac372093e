import type { Context } from '../context.ts';
import { noticeOf } from '../notices/digest-notice.ts';
import { NOTICE_MAX_AGE_MS } from '../notices/notice-limits.ts';
import { type Sending, sendDue } from '../outbox/send-due.ts';
import { noticeText } from './chat-text.ts';
import { chatUrl, postedTopics } from './chat-webhook.ts';

/** Messages that are posted at the same time, to any chats. */
const CONCURRENCY = 8;

/** Posts every chat message that is due, at least once. */
export function sendChatMessages(
  context: Context,
  running: Pick<Sending<never>, 'countOutcome' | 'logger' | 'signal'>,
): Promise<void> {
  return sendDue({
    ...running,
    what: 'chat message',
    outbox: context.chatMessages,
    maxAgeMs: () => NOTICE_MAX_AGE_MS,
    concurrency: CONCURRENCY,
    clock: context.clock,
    async send({ topic: { entry }, count }) {
      const team = await context.teams.find(entry.team_id);
      const notice = noticeOf(entry, count, context.links);
      if (!team?.chat || !notice || !postedTopics(team.chat).includes(notice.topic)) return 'dropped';
      await context.chat.post(chatUrl(context.encryption, team.id, team.chat), noticeText(notice, team.name));
      return 'sent';
    },
  });
}
