import { setTimeout as delay } from 'node:timers/promises';
import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { MAX_CONFIRMED_RECORDS } from '@tollgate/contracts/audit/rpc';
import { idTimeMs } from '@tollgate/contracts/platform/id-time';
import { isId } from '@tollgate/contracts/platform/ids';
import { auditSubject } from '@tollgate/contracts/platform/streams';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { Connection } from 'mongoose';
import { createOutboxRelay, type OutboxMessage, type OutboxRelay } from './outbox-relay.ts';
import { createPublishedEntries } from './published-entries.ts';
import type { IndexDeclaration } from './schema/database-schema.ts';

/**
 * Matches documents with unconfirmed audit entries, and defines the partial index. Uses a comparison instead of `$exists`, because
 * every query planner can turn a comparison into an index range.
 */
const HAS_OUTBOX = { 'outbox.id': { $gt: '' } } as const;

export const OUTBOX_INDEX: IndexDeclaration = {
  key: { 'outbox.id': 1 },
  partialFilterExpression: HAS_OUTBOX,
  purpose: 'Sweeps audit entries that the audit log has not confirmed',
};

/** The audit log usually stores an entry within milliseconds. Entries that are unconfirmed after these delays are left to the sweeper. */
const CONFIRM_DELAYS_MS = [0, 200, 1_000];

interface DocumentWithOutbox {
  _id: string;
  outbox: SignedAuditEntry[];
}

export interface AuditOutboxOptions {
  connection: Connection;
  /** Collections whose documents have an `outbox`, indexed by OUTBOX_INDEX. */
  collections: readonly string[];
  /** Publishes under this `Nats-Msg-Id`. */
  publish: (message: OutboxMessage, messageId: string) => Promise<void>;
  /** Returns the ids of the entries that the audit log has stored or can never store. Throws when it is unavailable. */
  confirm: (entries: SignedAuditEntry[]) => Promise<string[]>;
  /** Waiting times before the checks that follow a publication. */
  confirmDelaysMs?: readonly number[];
  clock: Clock;
  logger: Logger;
}

interface AuditMessage extends OutboxMessage {
  body: SignedAuditEntry;
}

export type AuditOutbox = OutboxRelay<AuditMessage>;

/**
 * Moves audit entries from the outbox of their documents to the audit log. A document keeps an entry until the audit log confirms it:
 * an acknowledgment by the stream AUDIT is not enough, because NATS can lose its store. While the audit log is unavailable, each entry
 * is published once and kept.
 */
export function createAuditOutbox(options: AuditOutboxOptions): AuditOutbox {
  const { connection, confirmDelaysMs = CONFIRM_DELAYS_MS, clock, logger } = options;
  const collections = options.collections.map((name) => connection.collection<DocumentWithOutbox>(name));
  const published = createPublishedEntries(clock);

  /** Clears the messages that the audit log has stored, and resolves to the others. */
  async function clearConfirmed(messages: AuditMessage[]): Promise<AuditMessage[]> {
    const stored = new Set<string>();
    for (let start = 0; start < messages.length; start += MAX_CONFIRMED_RECORDS) {
      const entries = messages.slice(start, start + MAX_CONFIRMED_RECORDS).map(({ body }) => body);
      for (const id of await options.confirm(entries)) stored.add(id);
    }
    await clear(messages.filter(({ id }) => stored.has(id)));
    for (const id of stored) published.forget(id);
    return messages.filter(({ id }) => !stored.has(id));
  }

  async function clear(messages: OutboxMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const documentIds = [...new Set(messages.map((message) => message.documentId))];
    const entryIds = messages.map((message) => message.id);
    for (const collection of collections) {
      await collection.updateMany(
        { _id: { $in: documentIds } },
        { $pull: { outbox: { id: { $in: entryIds } } } },
      );
    }
  }

  async function findWaiting(limit: number): Promise<AuditMessage[]> {
    const documents: DocumentWithOutbox[] = [];
    for (const collection of collections) {
      const found = collection.find(HAS_OUTBOX, { projection: { outbox: 1 } }).limit(limit);
      documents.push(...(await found.toArray()));
    }
    return documents.flatMap(({ _id, outbox }) => entriesOf(outbox).map((entry) => auditMessage(_id, entry)));
  }

  /** Without a reply from the audit log, entries that this process has published count as in transit. */
  async function findMissing(waiting: AuditMessage[]): Promise<AuditMessage[]> {
    try {
      return (await clearConfirmed(waiting)).filter(({ id }) => published.isOverdue(id));
    } catch (error) {
      if (waiting.length > 0) logger.warn({ err: error, count: waiting.length }, UNCONFIRMED);
      return waiting.filter(({ id }) => !published.has(id));
    }
  }

  return createOutboxRelay({
    logger,

    publish: (messages) =>
      messages.map(async (message) => {
        await options.publish(message, published.messageIdFor(message.id));
        published.note(message.id);
      }),

    async settle(messages) {
      let waiting = messages;
      for (const delayMs of confirmDelaysMs) {
        if (waiting.length === 0) return;
        await delay(delayMs);
        try {
          waiting = await clearConfirmed(waiting);
        } catch {
          // The sweeper retries, and logs a warning if the audit log is still unavailable.
          return;
        }
      }
    },

    /** Clears stored entries page by page, up to the first page with an entry that the audit log does not have. */
    async *findUnpublished({ limit }) {
      for (;;) {
        const waiting = await findWaiting(limit);
        const missing = await findMissing(waiting);
        if (missing.length > 0 || waiting.length < limit || (await findWaiting(1)).some(isIn(waiting))) {
          yield missing;
          return;
        }
      }
    },
  });
}

/** Time of the oldest audit entry that the audit log has not confirmed; null if there is none. */
export async function oldestAuditEntryAt(
  connection: Connection,
  collections: readonly string[],
): Promise<Date | null> {
  const oldest = await Promise.all(
    collections.map((name) =>
      connection
        .collection<DocumentWithOutbox>(name)
        .findOne(HAS_OUTBOX, { projection: { outbox: 1 }, sort: { 'outbox.id': 1 } }),
    ),
  );
  const times = oldest.flatMap((document) => entriesOf(document?.outbox)).map(({ id }) => idTimeMs(id));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** An action is part of a subject of NATS. */
const ACTION = /^[a-z_]+(\.[a-z_]+)*$/;

const UNCONFIRMED = 'the audit log is unavailable; entries stay in the outbox until it confirms them';

/**
 * Another writer to the database may have stored anything. What cannot be an entry is skipped: it must not delay the
 * entries of other documents.
 */
function entriesOf(outbox: unknown): SignedAuditEntry[] {
  return Array.isArray(outbox) ? outbox.filter(canBePublished) : [];
}

function canBePublished(entry: unknown): entry is SignedAuditEntry {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, action } = entry as Partial<Record<string, unknown>>;
  return typeof id === 'string' && isId('audit', id) && typeof action === 'string' && ACTION.test(action);
}

function isIn(messages: OutboxMessage[]): (message: OutboxMessage) => boolean {
  const ids = new Set(messages.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}

export function auditMessage(documentId: string, entry: SignedAuditEntry): AuditMessage {
  return { documentId, id: entry.id, subject: auditSubject(entry.action), body: entry };
}
