import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { otherTopics } from '../notices/other-topics.ts';
import type { SecretEncryption } from '../secret-encryption.ts';

const SHOWN_CHARACTERS = 4;

/** The incoming webhook of a team's chat. */
export interface ChatWebhook {
  /** Everyone with the URL can post to the chat. Encrypted, and bound to the team. */
  readonly encryptedUrl: string;
  readonly host: string;
  readonly lastFour: string;
  /** Topics that are not posted, so that those of a later release are. */
  readonly mutedTopics: readonly NoticeTopic[];
  readonly setAt: Date;
}

export function newChatWebhook(
  encryption: SecretEncryption,
  { teamId, url, mutedTopics }: { teamId: string; url: string; mutedTopics: readonly NoticeTopic[] },
  now: Date,
): ChatWebhook {
  return {
    encryptedUrl: encryption.encrypt(Buffer.from(url), teamId),
    host: new URL(url).host,
    lastFour: url.slice(-SHOWN_CHARACTERS),
    mutedTopics,
    setAt: now,
  };
}

export function chatUrl(encryption: SecretEncryption, teamId: string, { encryptedUrl }: ChatWebhook): string {
  return encryption.decrypt(encryptedUrl, teamId).toString();
}

/** The topics of notices that are posted. */
export function postedTopics({ mutedTopics }: ChatWebhook): NoticeTopic[] {
  return otherTopics(mutedTopics);
}

/** What the audit log records: never the URL. */
export function auditedChat(webhook: ChatWebhook | null): Record<string, unknown> {
  return {
    host: webhook?.host ?? null,
    last_four: webhook?.lastFour ?? null,
    topics: webhook && postedTopics(webhook),
  };
}

export const NO_CHAT_WEBHOOK = 'The team has no chat webhook. Set its URL first.';
