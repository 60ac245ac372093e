import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { listRecords } from '@tollgate/contracts/audit/rpc';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { idRange } from '@tollgate/store/id-range';
import { type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection, mongo } from 'mongoose';
import type { Static } from 'typebox';
import { type RecordDocument, toRecord } from './record-document.ts';
import { searchTermsOf } from './search-terms.ts';

type Filters = Omit<Static<typeof listRecords.request>, 'limit' | 'cursor'>;

export interface Insertion {
  /** Number of documents inserted, from the first. */
  inserted: number;
  /** Why the database does not accept the next one; null if it was inserted, or if its number or id is taken. */
  rejection: Error | null;
}

/** Number of documents that a cursor fetches at once. It limits how long the check of a batch blocks the event loop. */
const BATCH = 200;

export const RECORD_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, seq: 1 },
    unique: true,
    purpose: "No two instances assign the same number; a team's log in order",
  },
  { key: { team_id: 1, _id: -1 }, purpose: "A team's records, newest first" },
  { key: { team_id: 1, action: 1, _id: -1 }, purpose: "A team's records of an action" },
  { key: { team_id: 1, words: 1, _id: -1 }, purpose: 'The search, and every filter by an id' },
];

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Records are inserted and read. Only `renumber` changes one. */
export function createRecordStore(connection: Connection) {
  const collection = connection.getClient().db(connection.name).collection<RecordDocument>('records');

  return {
    /**
     * Inserts in this order, up to the first document whose number or id is taken or that the database rejects. All
     * documents of one call must belong to one team.
     */
    async insertInOrder(documents: RecordDocument[]): Promise<Insertion> {
      try {
        await collection.insertMany(documents, { ordered: true });
        return { inserted: documents.length, rejection: null };
      } catch (error) {
        const { writeErrors } = error as { writeErrors?: { index: number }[] };
        const [first] = [writeErrors].flat();
        if (first === undefined) throw error;
        return { inserted: first.index, rejection: isDuplicateKey(error) ? null : (error as Error) };
      }
    },

    /** Records with these ids, which are unique over all teams. */
    findOfAllTeams: (ids: string[]): Promise<RecordDocument[]> =>
      collection.find({ _id: { $in: ids } }).toArray(),

    async find(team_id: string, _id: string): Promise<AuditRecord | null> {
      const document = await collection.findOne({ _id, team_id });
      return document && toRecord(document);
    },

    findLast: (team_id: string): Promise<RecordDocument | null> =>
      collection.findOne({ team_id }, { sort: { team_id: -1, seq: -1 } }),

    list: (team_id: string, filters: Filters, page: PageRequest): Promise<Page<RecordDocument>> =>
      readPage(page, ({ filter, sort, limit }) => {
        const query = { team_id, $and: [...conditions(filters), filter] };
        return collection
          .find(query as mongo.Filter<RecordDocument>, { maxTimeMS: QUERY_TIME_MS })
          .sort(sort)
          .limit(limit)
          .toArray();
      }),

    /** In ascending order of `seq`; both bounds are inclusive. */
    listBySeq: (
      team_id: string,
      { from, upTo, limit }: { from: number; upTo: number; limit: number },
    ): Promise<RecordDocument[]> =>
      collection
        .find({ team_id, seq: { $gte: from, $lte: upTo } })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    /** In ascending order of `seq`. */
    listLeafHashes: (team_id: string, { from, upTo }: { from: number; upTo: number }): Promise<string[]> =>
      collection
        .find({ team_id, seq: { $gte: from, $lte: upTo } }, { projection: { _id: 0, seq: 1, leaf_hash: 1 } })
        .sort({ seq: 1 })
        .map(({ leaf_hash }) => leaf_hash)
        .toArray(),

    /** All records up to this number as stored, including those with an invalid number. */
    readAll: (team_id: string, upTo: number): AsyncIterable<RecordDocument> =>
      collection.find({ team_id, seq: { $not: { $gt: upTo } } }, { batchSize: BATCH }).sort({ seq: 1 }),

    count: (team_id: string) => collection.countDocuments({ team_id }),

    /** The number of records up to this number. */
    countUpTo: (team_id: string, seq: number) => collection.countDocuments({ team_id, seq: { $lte: seq } }),

    /** The last record that is there of those that a tree head covers. A record that was appended after it can have the number of a lost one. */
    findLastCovered: ({ team_id, size, at }: AuditHead): Promise<RecordDocument | null> =>
      collection.findOne(
        { team_id, seq: { $lte: size }, recorded_at: { $lte: at } },
        { sort: { team_id: -1, seq: -1 } },
      ),

    /**
     * Replaces a record that no tree head covers, only while it has this number: to renumber it after a restore. False when it does not
     * have this number, or when the new number is taken.
     */
    async renumber({ _id, team_id, seq }: RecordDocument, replacement: RecordDocument): Promise<boolean> {
      try {
        return (await collection.replaceOne({ _id, team_id, seq }, replacement)).matchedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

/**
 * Ids are also searched as words, which are indexed: a separate index for each filter would make every record more
 * expensive.
 */
function conditions({ occurred_from, occurred_to, search = '', ...filters }: Filters): object[] {
  const { actor_id, target_id, application_id } = filters;
  const fields = {
    'actor.type': filters.actor_type,
    'actor.id': actor_id,
    action: filters.action,
    'target.type': filters.target_type,
    'target.id': target_id,
    application_id,
    environment: filters.environment,
  };
  const equal = Object.entries(fields).filter(([, value]) => value !== undefined);
  const ids = [actor_id, target_id, application_id].filter((id) => id !== undefined);
  return [
    ...equal.map(([field, value]) => ({ [field]: value })),
    ...ids.map((id) => ({ words: id.toLowerCase() })),
    ...searchTermsOf(search).map((term) => ({ words: { $regex: `^${escapeRegex(term)}` } })),
    ...occurred(occurred_from, occurred_to),
  ];
}

function occurred(...period: (string | undefined)[]): object[] {
  const [from, to] = period.map((time) => (time === undefined ? undefined : new Date(time)));
  if (from === undefined && to === undefined) return [];
  const times = { ...(from && { $gte: from.toISOString() }), ...(to && { $lt: to.toISOString() }) };
  return [{ occurred_at: times }, { _id: idRange('audit', { from, to }) }];
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
