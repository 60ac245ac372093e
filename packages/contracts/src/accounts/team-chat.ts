import Type, { type Static } from 'typebox';
import { Nullable, Time } from '../platform/schema.ts';
import { NOTICE_TOPICS } from './notice-topics.ts';

export const TEAM_CHAT_LIMITS = {
  /** Those of chats have about 100 characters. */
  url: 2_000,
} as const;

const ChatWebhook = Type.Object({
  host: Type.String(),
  last_four: Type.String({ description: 'The last four characters of the URL, which is a secret' }),
  topics: Type.Array(Type.Enum(NOTICE_TOPICS), { description: 'What is posted' }),
  set_at: Time,
});

const ChatMessage = Type.Object({
  status: Type.Enum(['waiting', 'sent', 'failed']),
  at: Time,
  reason: Nullable(Type.String(), 'Why the last attempt failed'),
});

/** Where notices about the team are posted, and whether they arrive. */
export const TeamChat = Type.Object({
  webhook: Nullable(ChatWebhook, 'Null while no URL is set'),
  last_message: Nullable(ChatMessage, 'The newest notice since the URL was set'),
});
export type TeamChat = Static<typeof TeamChat>;
