import type { Environment } from '@tollgate/contracts/platform/environment';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import { type Connection, mongo } from 'mongoose';
import { packSlots, type Slots, unpackSlots } from '../packing/packed-slots.ts';
import type { Division } from '../periods/granularity.ts';
import { type SeriesPeriod, seriesPeriodId } from './series.ts';

interface LevelDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  /** Start of the period that it holds. */
  at: Date;
  /** Increments with every change. */
  version: number;
  /** Ids of keys. Rows refer to them by index, which never changes. */
  keys: string[];
  /** The points, packed. */
  slots: mongo.Binary;
  /** True when the next level includes the current version. */
  is_rolled_up: boolean;
  /** Absent until it is rolled up. */
  expires_at?: Date;
}

/** One document of minutes, hours, or days. */
export interface LevelRecord extends SeriesPeriod {
  id: string;
  version: number;
  keys: string[];
  slots: Slots;
}

export interface LevelFilter {
  teamId: string;
  applicationId: string | undefined;
  environment: Environment | undefined;
}

/** Documents of one granularity: each holds the points of one series in an hour, a day, or a month. */
export interface LevelStore {
  division: Division;
  /** The existing documents among these, by id. */
  read(periods: readonly SeriesPeriod[]): Promise<Map<string, LevelRecord>>;
  /**
   * Stores the points unless the document was written since it was read; `version` 0 means that it did not exist.
   * Resolves to whether it was stored.
   */
  write(record: Omit<LevelRecord, 'id'>): Promise<boolean>;
  /** Documents of all teams that the next level does not include yet, oldest first. */
  listToRollUp(limit: number): Promise<SeriesPeriod[]>;
  /** Marks documents unless they were written since they were read. */
  markRolledUp(records: readonly LevelRecord[]): Promise<void>;
  /** Documents that start at or after `fromMs` and before `toMs`, in ascending order of time. */
  list(filter: LevelFilter, fromMs: number, toMs: number): AsyncIterable<LevelRecord>;
  /** Like `list`, but of every team, for reconciliation. */
  listOfAllTeams(fromMs: number, toMs: number): AsyncIterable<LevelRecord>;
  hasAny(teamId: string): Promise<boolean>;
}

/** Indexes of the collection of each granularity. */
export const LEVEL_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, application_id: 1, at: 1 },
    name: 'of_application',
    purpose: 'Usage of an application by time',
  },
  { key: { team_id: 1, at: 1 }, name: 'of_team', purpose: 'Usage of a team by time' },
  {
    key: { is_rolled_up: 1, at: 1 },
    name: 'to_roll_up',
    partialFilterExpression: { is_rolled_up: false },
    purpose: 'The roll-up: documents that the next level does not include yet',
  },
  {
    key: { expires_at: 1 },
    name: 'expiry',
    expireAfterSeconds: 0,
    purpose: 'Deletes documents that the next level includes, when their time is over',
  },
];

/** Name of the collection with the documents of a granularity. */
export function levelCollection({ granularity }: Pick<Division, 'granularity'>): string {
  return `${granularity}s`;
}

export function createLevelStore(connection: Connection, division: Division): LevelStore {
  const collection = connection.collection<LevelDocument>(levelCollection(division));

  return {
    division,

    async read(periods) {
      const documents = await collection.find({ _id: { $in: periods.map(seriesPeriodId) } }).toArray();
      return new Map(documents.map((document) => [document._id, toRecord(document)]));
    },

    async write(record) {
      const { version, keys } = record;
      const content = {
        version: version + 1,
        keys,
        slots: new mongo.Binary(packSlots(record.slots)),
        is_rolled_up: false,
      };
      if (version === 0) return insert({ ...ownerOf(record), ...content });
      const { modifiedCount } = await collection.updateOne(
        { _id: seriesPeriodId(record), team_id: record.teamId, version },
        { $set: content, $unset: { expires_at: '' } },
      );
      return modifiedCount === 1;
    },

    async listToRollUp(limit) {
      const documents = await collection
        .find({ is_rolled_up: false }, { projection: { slots: 0, keys: 0 } })
        .sort({ at: 1 })
        .limit(limit)
        .toArray();
      return documents.map(toPeriod);
    },

    async markRolledUp(records) {
      if (records.length === 0) return;
      const { keptMs } = division;
      await collection.bulkWrite(
        records.map(({ id, teamId, version, documentMs }) => {
          const expiry = keptMs === null ? {} : { expires_at: new Date(documentMs + keptMs) };
          return {
            updateOne: {
              filter: { _id: id, team_id: teamId, version },
              update: { $set: { is_rolled_up: true, ...expiry } },
            },
          };
        }),
        { ordered: false },
      );
    },

    async *list({ teamId, applicationId, environment }, fromMs, toMs) {
      const cursor = collection
        .find({
          team_id: teamId,
          ...(applicationId !== undefined && { application_id: applicationId }),
          at: { $gte: new Date(fromMs), $lt: new Date(toMs) },
          ...(environment !== undefined && { environment }),
        })
        .sort({ at: 1 })
        .maxTimeMS(QUERY_TIME_MS);
      for await (const document of cursor) yield toRecord(document);
    },

    async *listOfAllTeams(fromMs, toMs) {
      const period = { $gte: new Date(fromMs), $lt: new Date(toMs) };
      for await (const document of collection.find({ at: period })) yield toRecord(document);
    },

    hasAny: async (teamId) =>
      (await collection.findOne({ team_id: teamId }, { projection: { _id: 1 } })) !== null,
  };

  async function insert(document: LevelDocument): Promise<boolean> {
    return wroteUnlessDuplicate(collection.insertOne(document));
  }
}

function ownerOf(period: SeriesPeriod) {
  return {
    _id: seriesPeriodId(period),
    team_id: period.teamId,
    application_id: period.applicationId,
    environment: period.environment,
    at: new Date(period.documentMs),
  };
}

function toPeriod(
  document: Pick<LevelDocument, 'team_id' | 'application_id' | 'environment' | 'at'>,
): SeriesPeriod {
  return {
    teamId: document.team_id,
    applicationId: document.application_id,
    environment: document.environment,
    documentMs: document.at.getTime(),
  };
}

function toRecord(document: LevelDocument): LevelRecord {
  return {
    ...toPeriod(document),
    id: document._id,
    version: document.version,
    keys: document.keys,
    slots: unpackSlots(document.slots.buffer),
  };
}
