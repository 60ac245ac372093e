import type { Environment } from '@tollgate/contracts/platform/environment';
import type { UsageGranularity } from '@tollgate/contracts/usage/usage';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import { type Connection, mongo } from 'mongoose';
import { packSlots, type Slots, unpackSlots } from '../packing/packed-slots.ts';
import { DIVISIONS, type Division } from '../periods/granularity.ts';

/** The application and environment whose usage a document holds, and the start of the period that it holds. */
export interface SeriesPeriod {
  team_id: string;
  application_id: string;
  environment: Environment;
  at: Date;
}

/** One document of minutes, hours, or days. */
export interface LevelRecord extends SeriesPeriod {
  _id: string;
  /** Increments with every change. */
  version: number;
  /** Ids of keys. Rows refer to them by index, which never changes. */
  keys: string[];
  /** The points. */
  slots: Slots;
}

interface LevelDocument extends Omit<LevelRecord, 'slots'> {
  /** See `packSlots`. */
  slots: mongo.Binary;
  /** True when the next level includes the current version. */
  is_rolled_up: boolean;
  /** Absent until it is rolled up. */
  expires_at?: Date;
}

export type LevelFilter = Pick<SeriesPeriod, 'team_id'> &
  Partial<Pick<SeriesPeriod, 'application_id' | 'environment'>>;

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

export type LevelStore = ReturnType<typeof createLevelStore>;
export type Levels = Record<UsageGranularity, LevelStore>;

export function createLevels(connection: Connection): Levels {
  return {
    minute: createLevelStore(connection, DIVISIONS.minute),
    hour: createLevelStore(connection, DIVISIONS.hour),
    day: createLevelStore(connection, DIVISIONS.day),
  };
}

/** Documents of one granularity: each holds the points of one series in an hour, a day, or a month. */
function createLevelStore(connection: Connection, division: Division) {
  const collection = connection.collection<LevelDocument>(`${division.granularity}s`);

  return {
    division,

    /** The existing documents among these, by id. */
    async read(periods: readonly SeriesPeriod[]): Promise<Map<string, LevelRecord>> {
      const documents = await collection.find({ _id: { $in: periods.map(seriesPeriodId) } }).toArray();
      return new Map(documents.map((document) => [document._id, unpacked(document)]));
    },

    /**
     * Stores the points unless the document was written since it was read; `version` 0 means that it did not exist.
     * Resolves to whether it was stored.
     */
    async write(record: Omit<LevelRecord, '_id'>): Promise<boolean> {
      const { team_id, application_id, environment, at, version, keys, slots } = record;
      const _id = seriesPeriodId(record);
      const content = {
        version: version + 1,
        keys,
        slots: new mongo.Binary(packSlots(slots)),
        is_rolled_up: false,
      };
      if (version === 0) {
        const document = { _id, team_id, application_id, environment, at, ...content };
        return wroteUnlessDuplicate(collection.insertOne(document));
      }
      const { modifiedCount } = await collection.updateOne(
        { _id, team_id, version },
        { $set: content, $unset: { expires_at: '' } },
      );
      return modifiedCount === 1;
    },

    /** Documents of all teams that the next level does not include yet, oldest first. */
    listToRollUp: (limit: number): Promise<SeriesPeriod[]> =>
      collection
        .find({ is_rolled_up: false }, { projection: { slots: 0, keys: 0 } })
        .sort({ at: 1 })
        .limit(limit)
        .toArray(),

    /** Marks documents unless they were written since they were read. */
    async markRolledUp(records: readonly LevelRecord[]): Promise<void> {
      if (records.length === 0) return;
      const { keptMs } = division;
      await collection.bulkWrite(
        records.map(({ _id, team_id, version, at }) => {
          const expiry = keptMs === null ? {} : { expires_at: new Date(at.getTime() + keptMs) };
          return {
            updateOne: {
              filter: { _id, team_id, version },
              update: { $set: { is_rolled_up: true, ...expiry } },
            },
          };
        }),
        { ordered: false },
      );
    },

    /** Documents that start at or after `fromMs` and before `toMs`, in ascending order of time. */
    async *list(filter: LevelFilter, fromMs: number, toMs: number): AsyncGenerator<LevelRecord> {
      const cursor = collection
        .find({ ...filter, at: { $gte: new Date(fromMs), $lt: new Date(toMs) } })
        .sort({ at: 1 })
        .maxTimeMS(QUERY_TIME_MS);
      for await (const document of cursor) yield unpacked(document);
    },

    /** Like `list`, but of every team, for reconciliation. */
    async *listOfAllTeams(fromMs: number, toMs: number): AsyncGenerator<LevelRecord> {
      const period = { $gte: new Date(fromMs), $lt: new Date(toMs) };
      for await (const document of collection.find({ at: period })) yield unpacked(document);
    },

    hasAny: async (team_id: string): Promise<boolean> =>
      (await collection.findOne({ team_id }, { projection: { _id: 1 } })) !== null,
  };
}

export function seriesPeriodId({ application_id, environment, at }: SeriesPeriod): string {
  return `${application_id}/${environment}/${at.toISOString()}`;
}

function unpacked(document: LevelDocument): LevelRecord {
  return { ...document, slots: unpackSlots(document.slots.buffer) };
}
