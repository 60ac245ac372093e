import type { AuditEntry } from '@tollgate/contracts/audit';
import { auditSubject } from '@tollgate/contracts/streams';
import type { Connection } from 'mongoose';
import type { Logger } from './logger.ts';
import { createOutboxRelay, type OutboxMessage, type OutboxRelay } from './outbox-relay.ts';

/**
 * Matches documents with audit entries that wait to be published; the same words make the index partial. A comparison and
 * not `$exists`, because it gives every planner a range of the index to scan.
 */
export const HAS_OUTBOX = { 'outbox.id': { $gt: '' } } as const;

/** Arguments of `schema.index`: an index of nothing but documents with waiting entries, for the sweeper. */
export const OUTBOX_INDEX: [{ 'outbox.id': 1 }, { partialFilterExpression: typeof HAS_OUTBOX }] = [
  { 'outbox.id': 1 },
  { partialFilterExpression: HAS_OUTBOX },
];

interface DocumentWithOutbox {
  _id: string;
  outbox: AuditEntry[];
}

export type AuditOutbox = OutboxRelay<OutboxMessage>;

/** Moves audit entries from the documents that carry them to the stream AUDIT, at least once. */
export function createAuditOutbox(options: {
  connection: Connection;
  /** Those whose documents carry an `outbox`, indexed by OUTBOX_INDEX. */
  collections: readonly string[];
  publish: (message: OutboxMessage) => Promise<void>;
  logger: Logger;
}): AuditOutbox {
  const { connection, publish, logger } = options;
  const collections = options.collections.map((name) => connection.collection<DocumentWithOutbox>(name));

  return createOutboxRelay({
    logger,
    publish,

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
