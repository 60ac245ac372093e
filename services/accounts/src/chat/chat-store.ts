import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import { createClaimInTurn, IN_TURN_INDEX } from '../outbox/claim-in-turn.ts';
import {
  ATTEMPT,
  createOutboxStore,
  IS_DUE,
  OUTBOX_INDEXES,
  type OutgoingProgress,
  toProgress,
} from '../outbox/outbox-store.ts';
import { createOutboxModel } from '../outbox/outgoing.ts';
import type { ChatTopic } from './chat-message.ts';

export const CHAT_MESSAGE_INDEXES: readonly IndexDeclaration[] = [
  ...OUTBOX_INDEXES,
  IN_TURN_INDEX,
  { key: { team_id: 1, created_at: -1 }, purpose: 'Finds the newest message of a team' },
];

export function createChatStore(connection: Connection) {
  const model = createOutboxModel(connection, 'ChatMessage', 'chat_messages');
  return {
    ...createOutboxStore<ChatTopic>(model),
    claim: createClaimInTurn<ChatTopic>(model),

    /** The newest message of the team since the time that was not dropped; null without one. */
    async findNewest(teamId: string, since: Date): Promise<OutgoingProgress | null> {
      const document = await model
        .findOne({ team_id: teamId, created_at: { $gte: since }, status: { $ne: 'dropped' } })
        .sort({ created_at: -1 })
        .lean();
      return document && toProgress(document);
    },

    /** Makes messages of the team that failed before due now. An attempt in flight no longer postpones its message. */
    async retryNow(teamId: string, now: Date): Promise<void> {
      await model.updateMany(
        // Only a failed message has a reason. A first attempt is not repeated while in flight.
        { ...IS_DUE, team_id: teamId, reason: { $ne: null } },
        // The number of the attempt fences off one that is in flight to the previous URL.
        { $set: { due_at: now }, ...ATTEMPT },
      );
    },
  };
}
