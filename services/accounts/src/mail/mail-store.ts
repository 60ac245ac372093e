import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import {
  createOutboxModel,
  createOutboxStore,
  OUTBOX_INDEXES,
  type OutboxStore,
  type OutgoingDocument,
  type OutgoingProgress,
  type StoredTopic,
  toProgress,
} from '../outbox/outbox-store.ts';
import type { MailTopic } from './mail.ts';

type TopicDocument =
  | { type: 'audit-entry'; entry: AuditEntry; member_id: string | null }
  | {
      type: 'password-reset';
      email: string;
      origin: { address: string | null; user_agent: string | null; request_id: string | null };
    };

export interface MailStore extends OutboxStore<MailTopic> {
  /** The newest mail of each of these invitations that was not dropped, by id of the invitation. */
  findOfInvitations(teamId: string, invitationIds: readonly string[]): Promise<Map<string, OutgoingProgress>>;
}

const TO_INVITED = { 'topic.entry.target.type': 'invitation' } as const;

export const MAIL_INDEXES: readonly IndexDeclaration[] = [
  ...OUTBOX_INDEXES,
  {
    key: { 'topic.entry.target.id': 1 },
    partialFilterExpression: TO_INVITED,
    purpose: 'Finds the mails of an invitation',
  },
];

export function createMailStore(connection: Connection): MailStore {
  const model = createOutboxModel(connection, { name: 'Mail', collection: 'mails' });
  return {
    ...createOutboxStore(model, TOPIC),

    async findOfInvitations(teamId, invitationIds) {
      const documents = await model
        .find({
          ...TO_INVITED,
          'topic.entry.target.id': { $in: invitationIds },
          team_id: teamId,
          status: { $ne: 'dropped' },
        })
        .sort({ created_at: 1, _id: 1 })
        .lean();
      return new Map(documents.map((document) => [invitationIdOf(document), mailProgress(document)]));
    },
  };
}

/** Until it fails, the reason is about the connection to the mail server, which concerns only the operator. */
function mailProgress(document: OutgoingDocument): OutgoingProgress {
  const progress = toProgress(document);
  return progress.status === 'failed' ? progress : { ...progress, reason: null };
}

function invitationIdOf({ topic }: OutgoingDocument): string {
  return (topic as TopicDocument & { type: 'audit-entry' }).entry.target.id;
}

const TOPIC: StoredTopic<MailTopic> = {
  toDocument(topic): TopicDocument {
    if (topic.type === 'audit-entry') {
      const { type, entry, memberId } = topic;
      return { type, entry, member_id: memberId };
    }
    const { type, email, origin } = topic;
    const { address, user_agent: userAgent, request_id: requestId } = origin;
    return { type, email, origin: { address, user_agent: userAgent, request_id: requestId } };
  },

  fromDocument(stored) {
    const topic = stored as TopicDocument;
    if (topic.type === 'audit-entry') {
      const { type, entry, member_id } = topic;
      return { type, entry, memberId: member_id };
    }
    const { type, email, origin } = topic;
    const { address, user_agent, request_id } = origin;
    return { type, email, origin: { address, user_agent: user_agent, request_id: request_id } };
  },
};
