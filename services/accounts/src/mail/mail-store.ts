import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import {
  createOutboxStore,
  OUTBOX_INDEXES,
  type OutgoingProgress,
  toProgress,
} from '../outbox/outbox-store.ts';
import { createOutboxModel, type OutgoingDocument } from '../outbox/outgoing.ts';
import type { AuditEntryTopic, MailTopic } from './mail.ts';

const TO_INVITED = { 'topic.entry.target.type': 'invitation' } as const;

export const MAIL_INDEXES: readonly IndexDeclaration[] = [
  ...OUTBOX_INDEXES,
  {
    key: { 'topic.entry.target.id': 1 },
    partialFilterExpression: TO_INVITED,
    purpose: 'Finds the mails of an invitation',
  },
];

export function createMailStore(connection: Connection) {
  const model = createOutboxModel(connection, 'Mail', 'mails');
  return {
    ...createOutboxStore<MailTopic>(model),

    /** The newest mail of each of these invitations that was not dropped, by id of the invitation. */
    async findOfInvitations(
      teamId: string,
      invitationIds: readonly string[],
    ): Promise<Map<string, OutgoingProgress>> {
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
  return (topic as AuditEntryTopic).entry.target.id;
}
