import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { createLeases } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { ChangePosition } from '../store/change-position.ts';
import {
  endOf,
  packRows,
  type RollUp,
  type RollUpPlace,
  rollUpId,
  startOf,
  type TotalRow,
  type Unit,
  unpackRows,
} from './roll-up.ts';

/** Name of the collection. */
export const ROLL_UPS = 'payment_roll_ups';
export const ROLL_UP_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, environment: 1, basis: 1, unit: 1, at: 1 },
    name: 'of_team',
    purpose: "Totals of a team's payments by time",
  },
  {
    key: { unit: 1, due_at: 1 },
    name: 'due',
    partialFilterExpression: { due_at: { $exists: true } },
    purpose: 'The roll-up: quarters and days to compute',
  },
];

/** Most payments end within minutes of their creation: before that, the rows would be computed for nothing. */
const SETTLED_AFTER_MS = 5 * MINUTE_MS;
/** How long the computation of rows is postponed. */
const POSTPONED_MS = MINUTE_MS;

/** How far the changes of payments are followed: one document, shared by all instances. */
export interface FollowedDocument {
  _id: 'payments';
  /** Roll-ups know every change up to this one. Null before the first. */
  position: ChangePosition | null;
  leased_until: Date;
}

/** A change of a payment that a roll-up counts. */
export interface Mark extends Omit<RollUpPlace, 'unit'> {
  changedAt: Date;
}

/** The roll-ups of a team and environment by one time of payments. */
export type RollUpScope = Pick<RollUpPlace, 'team_id' | 'environment' | 'basis'>;

/** A roll-up with its rows as one text. */
type StoredRollUp = Omit<RollUp, 'rows'> & { rows?: string };

export type RollUpStore = ReturnType<typeof createRollUpStore>;

export function createRollUpStore(connection: Connection) {
  const collection = connection.collection<StoredRollUp>(ROLL_UPS);
  const followed = connection.collection<FollowedDocument>('followed_changes');

  async function markUnit(unit: Unit, marks: readonly Mark[]): Promise<void> {
    const newest = new Map<string, RollUpPlace & { changedAt: Date }>();
    for (const { changedAt, ...place } of marks) {
      const marked = { ...place, unit, at: startOf(unit, place.at), changedAt };
      const known = newest.get(rollUpId(marked));
      if (!known || known.changedAt < changedAt) newest.set(rollUpId(marked), marked);
    }
    await collection.bulkWrite(
      [...newest].map(([_id, { changedAt, ...place }]) => ({
        updateOne: {
          filter: { _id, team_id: place.team_id },
          update: {
            $inc: { version: 1 },
            // Frequent changes do not postpone what an earlier one made due.
            $min: { due_at: dueAtOf(place, changedAt) },
            $setOnInsert: {
              environment: place.environment,
              basis: place.basis,
              unit,
              at: place.at,
            },
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
  }

  return {
    followed: createLeases<FollowedDocument>(followed, { until: 'leased_until' }),

    /** Null before changes were followed. */
    async position(): Promise<ChangePosition | null> {
      const found = await followed.findOne({ _id: 'payments' });
      return found?.position ?? null;
    },

    /** Makes the rows of the quarters and days due. */
    async mark(marks: readonly Mark[]): Promise<void> {
      if (marks.length === 0) return;
      await markUnit('quarter', marks);
      // The days come second: one that was computed from a quarter before its mark is marked now.
      await markUnit('day', marks);
    },

    /** Makes all rows of a team's sandbox due. */
    async markSandbox(team_id: string, now: Date): Promise<void> {
      for (const unit of ['quarter', 'day'] as const) {
        await collection.updateMany(
          { team_id, environment: 'sandbox', unit },
          { $inc: { version: 1 }, $min: { due_at: now } },
        );
      }
    },

    /** Roll-ups of all teams whose rows are due. */
    listDue: async (unit: Unit, now: Date, limit: number): Promise<RollUp[]> => {
      const due = await collection
        .find({ unit, due_at: { $lte: now } }, { sort: { due_at: 1 }, limit })
        .toArray();
      return due.map(unpacked);
    },

    /** Writes the rows, unless a change was marked since the roll-up was read. */
    async write({ _id, team_id, version }: RollUp, rows: TotalRow[]): Promise<void> {
      await collection.updateOne(
        { _id, team_id, version },
        { $set: { rows: packRows(rows) }, $unset: { due_at: 1 } },
      );
    },

    /** Lets a roll-up wait whose rows could not be computed. */
    async postpone({ _id, team_id, version }: RollUp, now: Date): Promise<void> {
      const due_at = new Date(now.getTime() + POSTPONED_MS);
      await collection.updateOne({ _id, team_id, version }, { $set: { due_at } });
    },

    /** The roll-ups that start at or after `from` and before `to`. A quarter or day without payments has none. */
    read: async (scope: RollUpScope, unit: Unit, from: Date, to: Date): Promise<RollUp[]> => {
      const found = await collection
        .find({ ...scope, unit, at: { $gte: from, $lt: to } }, { maxTimeMS: QUERY_TIME_MS })
        .toArray();
      return found.map(unpacked);
    },
  };
}

function unpacked({ rows, ...rollUp }: StoredRollUp): RollUp {
  return rows === undefined ? rollUp : { ...rollUp, rows: unpackRows(rows) };
}

/** Some minutes after the change, and after the end of the quarter or day: until then, changes are frequent. */
function dueAtOf(place: RollUpPlace, changedAt: Date): Date {
  return new Date(Math.max(changedAt.getTime(), endOf(place).getTime()) + SETTLED_AFTER_MS);
}
