import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { otherTopics } from '../notices/other-topics.ts';
import type { SecretEncryption } from '../secret-encryption.ts';

const SHOWN_CHARACTERS = 4;

/** The incoming webhook of a team's chat. */
export interface ChatWebhook {
  /** Everyone with the URL can post to the chat. Encrypted, and bound to the team. */
  encrypted_url: string;
  host: string;
  last_four: string;
  /** Topics that are not posted, so that those of a later release are. */
  muted_topics: NoticeTopic[];
  set_at: Date;
}

export function newChatWebhook(
  encryption: SecretEncryption,
  { team_id, url, muted_topics }: { team_id: string; url: string; muted_topics: NoticeTopic[] },
  now: Date,
): ChatWebhook {
  return {
    encrypted_url: encryption.encrypt(Buffer.from(url), team_id),
    host: new URL(url).host,
    last_four: url.slice(-SHOWN_CHARACTERS),
    muted_topics,
    set_at: now,
  };
}

export function chatUrl(encryption: SecretEncryption, teamId: string, chat: ChatWebhook): string {
  return encryption.decrypt(chat.encrypted_url, teamId).toString();
}

/** The topics of notices that are posted. */
export function postedTopics({ muted_topics }: ChatWebhook): NoticeTopic[] {
  return otherTopics(muted_topics);
}

/** What the audit log records: never the URL. */
export function auditedChat(webhook: ChatWebhook | null): Record<string, unknown> {
  return {
    host: webhook?.host ?? null,
    last_four: webhook?.last_four ?? null,
    topics: webhook && postedTopics(webhook),
  };
}

export const NO_CHAT_WEBHOOK = 'The team has no chat webhook. Set its URL first.';
