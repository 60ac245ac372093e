import type { AuditAction, AuditRecord } from '@tollgate/contracts/audit/audit';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { idRange } from '@tollgate/store/id-range';
import { type KeysetQuery, type Page, type PageRequest, readPage } from '@tollgate/store/keyset-page';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection, mongo } from 'mongoose';
import { type RecordDocument, toRecord } from './record-document.ts';
import { searchTermsOf } from './search-terms.ts';

export interface RecordFilter {
  actorType: AuditRecord['actor']['type'] | undefined;
  actorId: string | undefined;
  action: AuditAction | undefined;
  targetType: AuditRecord['target']['type'] | undefined;
  targetId: string | undefined;
  applicationId: string | undefined;
  environment: Environment | undefined;
  occurredFrom: Date | undefined;
  occurredTo: Date | undefined;
  search: string | undefined;
}

export interface Insertion {
  /** Number of documents inserted, from the first. */
  inserted: number;
  /** Why the database does not accept the next one; null if it was inserted, or if its number or id is taken. */
  rejection: Error | null;
}

/** Records are inserted and read. Only `renumber` changes one. */
export interface RecordStore {
  /**
   * Inserts in this order, up to the first document whose number or id is taken or that the database rejects. All
   * documents of one call must belong to one team.
   */
  insertInOrder(documents: RecordDocument[]): Promise<Insertion>;
  /** Records with these ids, which are unique over all teams. */
  findOfAllTeams(ids: string[]): Promise<RecordDocument[]>;
  find(teamId: string, recordId: string): Promise<AuditRecord | null>;
  findLast(teamId: string): Promise<RecordDocument | null>;
  list(teamId: string, filter: RecordFilter, request: PageRequest): Promise<Page<AuditRecord>>;
  /** In ascending order of `seq`; both bounds are inclusive. */
  listBySeq(teamId: string, range: { from: number; upTo: number; limit: number }): Promise<RecordDocument[]>;
  /** In ascending order of `seq`. */
  listLeafHashes(teamId: string, range: { from: number; upTo: number }): Promise<string[]>;
  /** All records up to this number as stored, including those with an invalid number. */
  readAll(teamId: string, upTo: number): AsyncIterable<RecordDocument>;
  count(teamId: string): Promise<number>;
  /** The number of records up to this number. */
  countUpTo(teamId: string, seq: number): Promise<number>;
  /** The last record that is there of those that a tree head covers. A record that was appended after it can have the number of a lost one. */
  findLastCovered(head: AuditHead): Promise<RecordDocument | null>;
  /**
   * Replaces a record that no tree head covers, only while it has this number: to renumber it after a restore. False when it does not
   * have this number, or when the new number is taken.
   */
  renumber(document: RecordDocument, replacement: RecordDocument): Promise<boolean>;
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

export function createRecordStore(connection: Connection): RecordStore {
  const collection = connection.getClient().db(connection.name).collection<RecordDocument>('records');

  return {
    async insertInOrder(documents) {
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

    findOfAllTeams: (ids) => collection.find({ _id: { $in: ids } }).toArray(),

    async find(teamId, recordId) {
      const document = await collection.findOne({ _id: recordId, team_id: teamId });
      return document && toRecord(document);
    },

    findLast: (teamId) => collection.findOne({ team_id: teamId }, { sort: { team_id: -1, seq: -1 } }),

    list(teamId, wanted, request) {
      return readPage(request, async ({ filter, sort, limit }: KeysetQuery) => {
        const query = { team_id: teamId, $and: [...conditions(wanted), filter] };
        const documents = await collection
          .find(query as mongo.Filter<RecordDocument>, { maxTimeMS: QUERY_TIME_MS })
          .sort(sort)
          .limit(limit)
          .toArray();
        return documents.map(toRecord);
      });
    },

    listBySeq: (teamId, { from, upTo, limit }) =>
      collection
        .find({ team_id: teamId, seq: { $gte: from, $lte: upTo } })
        .sort({ seq: 1 })
        .limit(limit)
        .toArray(),

    listLeafHashes: (teamId, { from, upTo }) =>
      collection
        .find(
          { team_id: teamId, seq: { $gte: from, $lte: upTo } },
          { projection: { _id: 0, seq: 1, leaf_hash: 1 } },
        )
        .sort({ seq: 1 })
        .map(({ leaf_hash }) => leaf_hash)
        .toArray(),

    readAll: (teamId, upTo) =>
      collection
        .find({ team_id: teamId, seq: { $not: { $gt: upTo } } }, { batchSize: BATCH })
        .sort({ seq: 1 }),

    count: (teamId) => collection.countDocuments({ team_id: teamId }),
    countUpTo: (teamId, seq) => collection.countDocuments({ team_id: teamId, seq: { $lte: seq } }),

    findLastCovered: ({ team_id, size, at }) =>
      collection.findOne(
        { team_id, seq: { $lte: size }, recorded_at: { $lte: at } },
        { sort: { team_id: -1, seq: -1 } },
      ),

    async renumber({ _id, team_id, seq }, replacement) {
      try {
        const { matchedCount } = await collection.replaceOne({ _id, team_id, seq }, replacement);
        return matchedCount === 1;
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
function conditions(wanted: RecordFilter): object[] {
  const { actorId, targetId, applicationId, search } = wanted;
  const fields = {
    'actor.type': wanted.actorType,
    'actor.id': actorId,
    action: wanted.action,
    'target.type': wanted.targetType,
    'target.id': targetId,
    application_id: applicationId,
    environment: wanted.environment,
  };
  const equal = Object.entries(fields).filter(([, value]) => value !== undefined);
  const ids = [actorId, targetId, applicationId].filter((id) => id !== undefined);
  return [
    ...equal.map(([field, value]) => ({ [field]: value })),
    ...ids.map((id) => ({ words: id.toLowerCase() })),
    ...searchTermsOf(search ?? '').map((term) => ({ words: { $regex: `^${escapeRegex(term)}` } })),
    ...occurred(wanted),
  ];
}

function occurred({ occurredFrom, occurredTo }: RecordFilter): object[] {
  if (occurredFrom === undefined && occurredTo === undefined) return [];
  const times = {
    ...(occurredFrom && { $gte: occurredFrom.toISOString() }),
    ...(occurredTo && { $lt: occurredTo.toISOString() }),
  };
  return [{ occurred_at: times }, { _id: idRange('audit', { from: occurredFrom, to: occurredTo }) }];
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
