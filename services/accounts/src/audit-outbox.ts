import type { Publisher } from '@tollgate/bus/publisher';
import type { AuditEntry } from '@tollgate/contracts/audit';
import { auditSubject } from '@tollgate/contracts/streams';
import type { Logger } from '@tollgate/service-kit/logger';
import { createOutboxRelay, type OutboxMessage, type OutboxRelay } from '@tollgate/service-kit/outbox-relay';
import type { Connection } from 'mongoose';
import { HAS_OUTBOX } from './outbox-index.ts';

const COLLECTIONS = ['teams', 'members', 'sessions', 'failed_sign_ins'];

interface DocumentWithOutbox {
  _id: string;
  outbox: AuditEntry[];
}

export type AuditOutbox = OutboxRelay<OutboxMessage>;

/** Moves audit entries from the documents that carry them to the stream AUDIT, at least once. */
export function createAuditOutbox(options: {
  connection: Connection;
  publisher: Publisher;
  logger: Logger;
}): AuditOutbox {
  const { connection, publisher, logger } = options;
  const collections = COLLECTIONS.map((name) => connection.collection<DocumentWithOutbox>(name));

  return createOutboxRelay({
    logger,
    publish: (message) => publisher.publish(message.subject, message.body, { messageId: message.id }),

    async settle(messages) {
      const documentIds = [...new Set(messages.map((message) => message.documentId))];
      const entryIds = messages.map((message) => message.id);
      for (const collection of collections) {
        await collection.updateMany(
          { _id: { $in: documentIds } },
          { $pull: { outbox: { id: { $in: entryIds } } } },
        );
      }
    },

    async findUnpublished({ limit }) {
      const documents: DocumentWithOutbox[] = [];
      for (const collection of collections) {
        const found = collection.find(HAS_OUTBOX, { projection: { outbox: 1 } }).limit(limit);
        documents.push(...(await found.toArray()));
      }
      return documents.flatMap(({ _id, outbox }) => outbox.map((entry) => auditMessage(_id, entry)));
    },
  });
}

export function auditMessage(documentId: string, entry: AuditEntry): OutboxMessage {
  return { documentId, id: entry.id, subject: auditSubject(entry.action), body: entry };
}
