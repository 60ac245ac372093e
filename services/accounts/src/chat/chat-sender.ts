import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { NOTICE_MAX_AGE_MS } from '../notices/notice-limits.ts';
import { teamNotice } from '../notices/team-notice.ts';
import { createSender, type Sender } from '../outbox/sender.ts';
import { noticeText } from './chat-text.ts';
import { chatUrl, postedTopics } from './chat-webhook.ts';

/**
 * Chats that are posted to at the same time. One that hangs occupies a place for 4 seconds, and less often with each failure, so
 * that hundreds of them leave room for the others.
 */
export const MAX_CHATS_AT_ONCE = 64;
/** Longer than any attempt. The chats that a dead instance was posting to wait for so long. */
const LEASE_MS = 30 * SECOND_MS;

/** Posts chat messages: one at a time to each chat, in the order of the notices. */
export function createChatSender(context: Context, signal: AbortSignal): Sender {
  return createSender(context, {
    signal,
    metric: 'chat_messages',
    what: 'chat message',
    outbox: context.chatMessages,
    maxAgeMs: () => NOTICE_MAX_AGE_MS,
    concurrency: MAX_CHATS_AT_ONCE,
    leaseMs: LEASE_MS,
    async send({ topic: { entry } }) {
      const team = await context.teams.find(entry.team_id);
      const notice = teamNotice(entry, context.links);
      if (!team?.chat || !notice || !postedTopics(team.chat).includes(notice.topic)) return 'dropped';
      await context.chat.post(
        chatUrl(context.encryption, team._id, team.chat),
        noticeText(notice, team.name),
      );
      return 'sent';
    },
  });
}
