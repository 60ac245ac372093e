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

type Found = Promise<HeadDocument | null>;

export const HEAD_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, number: 1 },
    unique: true,
    purpose: "Only one instance creates the next head; a team's heads in order",
  },
  { key: { team_id: 1, size: 1, number: 1 }, purpose: 'The first head that covers a record' },
  { key: { team_id: 1, at: 1, number: 1 }, purpose: 'Heads by time' },
];

export type HeadStore = ReturnType<typeof createHeadStore>;

export function createHeadStore(connection: Connection) {
  const database = connection.getClient().db(connection.name);
  const collection = database.collection<HeadDocument>('heads');
  const abandoned = database.collection<HeadDocument>('abandoned_heads');

  return {
    /** False when a head with this number exists: another instance was first. */
    insert: (head: AuditHead, subtrees: readonly string[]): Promise<boolean> =>
      wroteUnlessDuplicate(collection.insertOne({ _id: headIdOf(head), ...head, subtrees: [...subtrees] })),

    find: (team_id: string, number: number): Found => collection.findOne({ team_id, number }),

    findLast: (team_id: string): Found =>
      collection.findOne({ team_id }, { sort: { team_id: -1, number: -1 } }),

    /** Whether exactly this head is stored. */
    async has(head: AuditHead): Promise<boolean> {
      const stored = await collection.findOne({ team_id: head.team_id, number: head.number });
      return stored !== null && headHash(toHead(stored)) === headHash(head);
    },

    /** The last head before this time. */
    findLastBefore: (team_id: string, at: Date): Found =>
      collection.findOne(
        { team_id, at: { $lt: at.toISOString() } },
        { sort: { team_id: -1, at: -1, number: -1 } },
      ),

    /** The first head at this time or later. */
    findFirstFrom: (team_id: string, at: Date): Found =>
      collection.findOne(
        { team_id, at: { $gte: at.toISOString() } },
        { sort: { team_id: 1, at: 1, number: 1 } },
      ),

    /** The first head that covers this many records. */
    findFirstOfSize: (team_id: string, size: number): Found =>
      collection.findOne({ team_id, size: { $gte: size } }, { sort: { team_id: 1, size: 1, number: 1 } }),

    /** Newest first, below or above a number. */
    async list(
      team_id: string,
      { below, above, limit }: { below?: number; above?: number; limit: number },
    ): Promise<AuditHead[]> {
      const number = {
        ...(below !== undefined && { $lt: below }),
        ...(above !== undefined && { $gt: above }),
      };
      const isBounded = Object.keys(number).length > 0;
      const found = await collection
        .find({ team_id, ...(isBounded && { number }) })
        .sort({ number: above === undefined ? -1 : 1 })
        .limit(limit)
        .map(toHead)
        .toArray();
      return above === undefined ? found : found.reverse();
    },

    /** All heads up to this number as stored, including those with an invalid number. */
    readAll: (team_id: string, upTo: number): AsyncIterable<HeadDocument> =>
      collection.find({ team_id, number: { $not: { $gt: upTo } } }).sort({ number: 1 }),

    count: (team_id: string) => collection.countDocuments({ team_id }),

    /** Moves the heads above this number to `abandoned_heads`: they cover records that are missing after a restore. */
    async abandonAbove(team_id: string, number: number): Promise<void> {
      const above = { team_id, number: { $gt: number } };
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
