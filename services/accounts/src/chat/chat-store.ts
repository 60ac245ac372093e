import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { createClaimInTurn, IN_TURN_INDEX } from '../outbox/claim-in-turn.ts';
import {
  createOutboxModel,
  createOutboxStore,
  IS_DUE,
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
  /** Makes messages of the team that failed before due now. An attempt in flight no longer postpones its message. */
  retryNow(teamId: string, now: Date): Promise<void>;
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

    async retryNow(teamId, now) {
      await model.updateMany(
        // Only a failed message has a reason. A first attempt is not repeated while in flight.
        { ...IS_DUE, team_id: teamId, reason: { $ne: null } },
        // The number of the attempt fences off one that is in flight to the previous URL.
        { $set: { due_at: now }, $inc: { attempts: 1 } },
      );
    },
  };
}

const TOPIC: StoredTopic<ChatTopic> = {
  toDocument: ({ entry }) => ({ entry }),
  fromDocument: (stored) => ({ entry: (stored as ChatTopic).entry }),
};
