import { createHash } from 'node:crypto';
import type { Actor } from '@tollgate/contracts/actor';
import type { AuditEntry, SignedAuditEntry } from '@tollgate/contracts/audit';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/durations';
import { newId } from '@tollgate/contracts/ids';
import type { Clock } from '@tollgate/runtime/clock';
import type { Connection } from 'mongoose';
import { actorAuthor } from './audit-author.ts';
import { type AuditOutbox, auditMessage, OUTBOX_INDEX } from './audit-outbox.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import type { IndexDeclaration } from './schema/database-schema.ts';

/** Name of the collection, one of the service's audited ones. */
export const PAYER_DATA_READS = 'payer_data_reads';
export const PAYER_DATA_READ_INDEXES: readonly IndexDeclaration[] = [
  { key: { expires_at: 1 }, expireAfterSeconds: 0, purpose: 'Deletes counts of past hours' },
  OUTBOX_INDEX,
];
/** Far more than a member who looks for a payment reads, and few enough that copying a history is noticed early. */
export const MAX_UNRECORDED_PAGES = 50;
/** The hour itself, and time for clocks that differ. */
const KEPT_MS = 2 * HOUR_MS;
/** How long a record waits for the audit log, as long as dead letters wait for an operator. */
const RECORD_KEPT_MS = 30 * DAY_MS;
const DIGEST_LENGTH = 16;

/** The pages that one member or API token has read in one hour (UTC). */
interface ReadsDocument {
  /** `<team id>/<id of the member or token>/<start of the hour>` */
  _id: string;
  team_id: string;
  /** Digests of the requests. At most one more than MAX_UNRECORDED_PAGES, and one for each concurrent request. */
  pages: string[];
  recorded_at: Date | null;
  expires_at: Date;
  outbox: SignedAuditEntry[];
}

export interface PayerDataReads {
  /**
   * Counts a live page with personal data of payers, before it is returned. The page that exceeds the limit of the hour is
   * recorded in the audit log. A repeated request counts once.
   */
  note(actor: Actor, page: { of: string; request: object }): Promise<void>;
}

/**
 * Counts pages in MongoDB, so that the limit is the same for any number of gateways and instances. The record is written with
 * the count and leaves it as other audit entries do.
 */
export function createPayerDataReads({
  connection,
  audit,
  signEntry,
  clock,
}: {
  connection: Connection;
  audit: AuditOutbox;
  signEntry: (entry: AuditEntry) => SignedAuditEntry;
  clock: Clock;
}): PayerDataReads {
  const collection = connection.collection<ReadsDocument>(PAYER_DATA_READS);

  return {
    async note(actor, page) {
      const now = new Date(clock.now());
      const reads = { _id: readsId(actor, now), team_id: actor.team_id };
      const known = await collection.findOne(reads, { projection: { outbox: 0 } });
      if (known?.recorded_at) return;
      const digest = digestOf(page);
      const pages = known?.pages.includes(digest) ? known.pages : await addPage(reads, digest, now);
      if (pages !== null && pages.length > MAX_UNRECORDED_PAGES) await record(reads, actor, now);
    },
  };

  /** Resolves to all pages of the hour; null when another request has recorded them. */
  async function addPage(
    reads: Pick<ReadsDocument, '_id' | 'team_id'>,
    digest: string,
    now: Date,
  ): Promise<string[] | null> {
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    try {
      const counted = await collection.findOneAndUpdate(
        { ...reads, recorded_at: null },
        { $addToSet: { pages: digest }, $setOnInsert: { expires_at: expiresAt, outbox: [] } },
        { upsert: true, returnDocument: 'after' },
      );
      return counted?.pages ?? null;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another request has created the document or recorded the pages since.
      const counted = await collection.findOneAndUpdate(
        { ...reads, recorded_at: null },
        { $addToSet: { pages: digest } },
        { returnDocument: 'after' },
      );
      return counted?.pages ?? null;
    }
  }

  async function record(
    reads: Pick<ReadsDocument, '_id' | 'team_id'>,
    actor: Actor,
    now: Date,
  ): Promise<void> {
    const entry = signEntry(pagedEntry(actor, now));
    const { modifiedCount } = await collection.updateOne(
      { ...reads, recorded_at: null },
      {
        $set: { recorded_at: now, expires_at: new Date(now.getTime() + RECORD_KEPT_MS), pages: [] },
        $push: { outbox: entry },
      },
    );
    if (modifiedCount === 1) audit.enqueue([auditMessage(reads._id, entry)]);
  }
}

function pagedEntry(actor: Actor, now: Date): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: now.toISOString(),
    team_id: actor.team_id,
    environment: 'live',
    ...actorAuthor(actor),
    action: 'payments.paged',
    target: { type: 'payments', id: actor.team_id, name: null },
    application_id: null,
    changes: {
      hour: { before: null, after: hourOf(now) },
      pages: { before: null, after: MAX_UNRECORDED_PAGES + 1 },
    },
  };
}

function readsId(actor: Actor, now: Date): string {
  const reader = actor.type === 'member' ? actor.member_id : actor.token_id;
  return `${actor.team_id}/${reader}/${hourOf(now)}`;
}

function hourOf(now: Date): string {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
}

function digestOf({ of, request }: { of: string; request: object }): string {
  const fields = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([of, fields]);
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH);
}
