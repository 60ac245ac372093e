import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { createClaimInTurn, IN_TURN_INDEX } from '../outbox/claim-in-turn.ts';
import {
  createOutboxModel,
  createOutboxStore,
  OUTBOX_INDEXES,
  type OutboxStore,
  type OutgoingProgress,
  type StoredTopic,
  toProgress,
} from '../outbox/outbox-store.ts';
import type { ChatTopic } from './chat-message.ts';

export interface ChatStore extends OutboxStore<ChatTopic> {
  /** The newest message of the team since the time that was not dropped; null without one. */
  findNewest(teamId: string, since: Date): Promise<OutgoingProgress | null>;
}

export const CHAT_MESSAGE_INDEXES: readonly IndexDeclaration[] = [
  ...OUTBOX_INDEXES,
  IN_TURN_INDEX,
  { key: { team_id: 1, created_at: -1 }, purpose: 'Finds the newest message of a team' },
];

export function createChatStore(connection: Connection): ChatStore {
  const model = createOutboxModel(connection, { name: 'ChatMessage', collection: 'chat_messages' });
  return {
    ...createOutboxStore(model, TOPIC),
    claim: createClaimInTurn(model, TOPIC),

    async findNewest(teamId, since) {
      const document = await model
        .findOne({ team_id: teamId, created_at: { $gte: since }, status: { $ne: 'dropped' } })
        .sort({ created_at: -1 })
        .lean();
      return document && toProgress(document);
    },
  };
}

const TOPIC: StoredTopic<ChatTopic> = {
  toDocument: ({ entry }) => ({ entry }),
  fromDocument: (stored) => ({ entry: (stored as ChatTopic).entry }),
};
