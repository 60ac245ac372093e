import { headHash } from '@tollgate/audit-log/head';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/**
 * A signed tree head with the state needed to continue from it. All members except `_id` and `subtrees` are the head
 * itself.
 */
export interface HeadDocument extends AuditHead {
  /** `<team>:<number>` */
  _id: string;
  /** The roots of the complete subtrees of its records, largest first. */
  subtrees: string[];
}

export interface HeadStore {
  /** False when a head with this number exists: another instance was first. */
  insert(head: AuditHead, subtrees: readonly string[]): Promise<boolean>;
  find(teamId: string, number: number): Promise<HeadDocument | null>;
  findLast(teamId: string): Promise<HeadDocument | null>;
  /** Whether exactly this head is stored. */
  has(head: AuditHead): Promise<boolean>;
  /** The last head before this time. */
  findLastBefore(teamId: string, at: Date): Promise<HeadDocument | null>;
  /** The first head at this time or later. */
  findFirstFrom(teamId: string, at: Date): Promise<HeadDocument | null>;
  /** The first head that covers this many records. */
  findFirstOfSize(teamId: string, size: number): Promise<HeadDocument | null>;
  /** Newest first, below or above a number. */
  list(teamId: string, range: { below?: number; above?: number; limit: number }): Promise<AuditHead[]>;
  /** All heads up to this number as stored, including those with an invalid number. */
  readAll(teamId: string, upTo: number): AsyncIterable<HeadDocument>;
  count(teamId: string): Promise<number>;
  /** Moves the heads above this number to `abandoned_heads`: they cover records that are missing after a restore. */
  abandonAbove(teamId: string, number: number): Promise<void>;
}

export const HEAD_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, number: 1 },
    unique: true,
    purpose: "Only one instance creates the next head; a team's heads in order",
  },
  { key: { team_id: 1, size: 1, number: 1 }, purpose: 'The first head that covers a record' },
  { key: { team_id: 1, at: 1, number: 1 }, purpose: 'Heads by time' },
];

export function createHeadStore(connection: Connection): HeadStore {
  const database = connection.getClient().db(connection.name);
  const collection = database.collection<HeadDocument>('heads');
  const abandoned = database.collection<HeadDocument>('abandoned_heads');

  return {
    async insert(head, subtrees) {
      return wroteUnlessDuplicate(
        collection.insertOne({ _id: headIdOf(head), ...head, subtrees: [...subtrees] }),
      );
    },
    find: (teamId, number) => collection.findOne({ team_id: teamId, number }),
    findLast: (teamId) => collection.findOne({ team_id: teamId }, { sort: { team_id: -1, number: -1 } }),
    async has(head) {
      const stored = await collection.findOne({ team_id: head.team_id, number: head.number });
      return stored !== null && headHash(toHead(stored)) === headHash(head);
    },
    findLastBefore: (teamId, at) =>
      collection.findOne(
        { team_id: teamId, at: { $lt: at.toISOString() } },
        { sort: { team_id: -1, at: -1, number: -1 } },
      ),
    findFirstFrom: (teamId, at) =>
      collection.findOne(
        { team_id: teamId, at: { $gte: at.toISOString() } },
        { sort: { team_id: 1, at: 1, number: 1 } },
      ),
    findFirstOfSize: (teamId, size) =>
      collection.findOne(
        { team_id: teamId, size: { $gte: size } },
        { sort: { team_id: 1, size: 1, number: 1 } },
      ),
    async list(teamId, { below, above, limit }) {
      const number = {
        ...(below !== undefined && { $lt: below }),
        ...(above !== undefined && { $gt: above }),
      };
      const isBounded = Object.keys(number).length > 0;
      const found = await collection
        .find({ team_id: teamId, ...(isBounded && { number }) })
        .sort({ number: above === undefined ? -1 : 1 })
        .limit(limit)
        .map(toHead)
        .toArray();
      return above === undefined ? found : found.reverse();
    },
    readAll: (teamId, upTo) =>
      collection.find({ team_id: teamId, number: { $not: { $gt: upTo } } }).sort({ number: 1 }),
    count: (teamId) => collection.countDocuments({ team_id: teamId }),

    async abandonAbove(teamId, number) {
      const above = { team_id: teamId, number: { $gt: number } };
      for await (const head of collection.find(above)) {
        const { _id, ...fields } = head;
        // A later restore may abandon another head of this number.
        const filter = { _id: `${_id}:${headHash(toHead(head))}` };
        await abandoned.replaceOne(filter, fields, { upsert: true });
      }
      await collection.deleteMany(above);
    },
  };
}

export function headIdOf({ team_id, number }: Pick<AuditHead, 'team_id' | 'number'>): string {
  return `${team_id}:${number}`;
}

/** Includes any added members, so that the signature check detects them. */
export function toHead(document: HeadDocument): AuditHead {
  const { _id, subtrees: _subtrees, ...head } = document;
  return head;
}
