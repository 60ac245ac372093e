import { MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import { createLeases, leaseTimes } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { ChangePosition } from '../store/change-position.ts';
import type { DifferenceScope } from './difference-store.ts';

/** Name of the collection. */
export const COMPARISONS = 'processor_comparisons';
export const COMPARISON_INDEXES: readonly IndexDeclaration[] = [
  { key: { processor: 1, day: 1 }, purpose: 'Comparisons with a processor by day' },
];

/** Longer than a batch takes whose calls all time out. */
export const LEASE_MS = 10 * MINUTE_MS;

/** The comparison of one day's payments with their processor, over all teams. */
export interface ComparisonDocument {
  /** `<processor>/<day>` */
  _id: string;
  processor: string;
  day: string;
  started_at: Date;
  /** Null while it runs. */
  completed_at: Date | null;
  /** Until then, one instance works on it. */
  leased_until: Date;
  /** The last payment that was compared. */
  position: ChangePosition | null;
  /** Compared payments by team and environment: `<team id>/<environment>`. */
  compared: Record<string, number>;
}

/** The payments of a team in one environment. */
type ComparedTeam = Omit<DifferenceScope, 'processor'>;

export function createComparisonStore(connection: Connection) {
  const collection = connection.collection<ComparisonDocument>(COMPARISONS);
  const leases = createLeases<ComparisonDocument>(collection, {
    until: 'leased_until',
    where: { completed_at: null },
  });

  return {
    /** Days that are known already stay as they are. */
    async add(processor: string, days: readonly string[], now: Date): Promise<void> {
      await collection.bulkWrite(
        days.map((day) => ({
          updateOne: {
            filter: { _id: `${processor}/${day}` },
            update: {
              $setOnInsert: {
                processor,
                day,
                started_at: now,
                completed_at: null,
                leased_until: now,
                position: null,
                compared: {},
              },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** The oldest day that is not complete, unless another instance works on it. */
    claim: (processor: string, clock: Clock) =>
      leases.acquire({ processor }, leaseTimes(clock, LEASE_MS), { sort: { day: 1 } }),

    /**
     * Writes what was compared since the claim, and renews it. Null when another instance has claimed the day since: what
     * was compared does not count then.
     */
    async advance(
      comparison: ComparisonDocument,
      { compared, last }: { compared: readonly PaymentDocument[]; last: PaymentDocument },
      clock: Clock,
    ): Promise<ComparisonDocument | null> {
      const counts: Record<string, number> = {};
      for (const payment of compared) {
        const path = `compared.${keyOf(payment)}`;
        counts[path] = (counts[path] ?? 0) + 1;
      }
      const position = { updatedAt: last.updated_at, paymentId: last._id };
      const update = { $set: { position }, $inc: counts };
      return leases.renew(comparison, leaseTimes(clock, LEASE_MS).until, update);
    },

    complete: (comparison: ComparisonDocument, now: Date) =>
      leases.release(comparison, now, { $set: { completed_at: now } }),

    /** Gives the day up, so that any instance may continue. */
    release: leases.release,

    /** The comparison of a day, or without one, the newest, with the count of the team. */
    async find({ processor, ...team }: DifferenceScope, day?: string) {
      const found = await collection.findOne(
        { processor, ...(day !== undefined && { day }) },
        { sort: { day: -1 }, projection: { ...WITHOUT_COUNTS, [`compared.${keyOf(team)}`]: 1 } },
      );
      if (!found) return null;
      const { started_at, completed_at, compared } = found;
      const compared_payments = compared?.[keyOf(team)] ?? 0;
      return { day: found.day, started_at, completed_at, compared_payments };
    },
  };
}

/** Names the fields, because the counts are those of every team. */
const WITHOUT_COUNTS = { processor: 1, day: 1, started_at: 1, completed_at: 1 } as const;

function keyOf({ team_id, environment }: ComparedTeam): string {
  return `${team_id}/${environment}`;
}
