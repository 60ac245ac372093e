import { MAX_COUNTED_PAYMENTS } from '@tollgate/contracts/payments/counted-payments';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { KeysetQuery } from '@tollgate/store/keyset-page';
import { createLeases, type LeaseTimes } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { type CountBounds, MEASURED } from '../store/measured.ts';
import {
  DIFFERENCES,
  type DifferenceDocument,
  differenceOf,
  differenceSchema,
  type FoundDifference,
  isRefund,
  type Reply,
} from './difference.ts';

/** The differences that a team's members may see. */
export interface DifferenceScope {
  team_id: string;
  environment: Environment;
  processor: string;
}

export const FOUND = { 'reply.at': { $exists: true } } as const;
export const UNRESOLVED = { ask_at: { $exists: true } } as const;
/** Those that are counted for operators and members. */
const NEEDS_ATTENTION = { ...UNRESOLVED, ...FOUND, is_refund: { $ne: true } } as const;

export const DIFFERENCE_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, environment: 1, processor: 1, day: 1, _id: 1 },
    purpose: 'Differences of a team by day',
  },
  {
    key: { team_id: 1, environment: 1, processor: 1, _id: 1 },
    partialFilterExpression: UNRESOLVED,
    purpose: 'Unresolved differences of a team',
  },
  {
    key: { processor: 1, ask_at: 1 },
    partialFilterExpression: UNRESOLVED,
    purpose: 'Differences that a processor is asked about again',
  },
  OUTBOX_INDEX,
];

export type DifferenceStore = ReturnType<typeof createDifferenceStore>;

export function createDifferenceStore(connection: Connection) {
  const model = connection.model<DifferenceDocument>('PaymentDifference', differenceSchema);
  const collection = connection.collection<DifferenceDocument>(DIFFERENCES);
  const leases = createLeases<DifferenceDocument>(collection, { until: 'ask_at' });

  return {
    model,

    // An upsert that excludes resolved differences collides with one of the same payment, which then stays as it is.

    /** Has the processor asked about a payment. A difference that is resolved stays so, unless money was returned since. */
    async suspect(payment: PaymentDocument, now: Date, { reopens }: { reopens: boolean }): Promise<void> {
      const { _id, ...difference } = differenceOf(payment);
      await wroteUnlessDuplicate(
        collection.updateOne(
          reopens ? { _id } : { _id, ...UNRESOLVED },
          {
            $min: { ask_at: now },
            $setOnInsert: { ...difference, outbox: [] },
            ...(reopens && { $unset: { resolution: 1 } }),
          },
          { upsert: true },
        ),
      );
    },

    /** Writes what the processor said. A difference that is resolved stays so. */
    async record(payment: PaymentDocument, reply: Reply, askAt: Date): Promise<void> {
      const { _id, ...difference } = differenceOf(payment);
      // Without a reply, the last one still counts.
      const { at, error } = reply;
      const said =
        error === null
          ? { reply, is_refund: isRefund(payment, reply) }
          : { 'reply.at': at, 'reply.error': error };
      await wroteUnlessDuplicate(
        collection.updateOne(
          { _id, ...UNRESOLVED },
          { $set: { ...difference, ...said, ask_at: askAt }, $setOnInsert: { outbox: [] } },
          { upsert: true },
        ),
      );
    },

    /** Removes what the processor no longer says. */
    async remove(paymentId: string): Promise<void> {
      await collection.deleteOne({ _id: paymentId, ...UNRESOLVED });
    },

    /** Used by background work over all teams: one that is due, which no other instance gets before its lease ends. */
    claimDue: (processor: string, times: LeaseTimes) =>
      leases.acquire({ processor }, times, { sort: { ask_at: 1 } }),

    /** Used by operators, over all teams, without refunds. Up to a limit. */
    async countUnresolved(processor: string, bounds: CountBounds = MEASURED): Promise<number> {
      return collection.countDocuments({ processor, ...NEEDS_ATTENTION }, bounds);
    },

    /** Without refunds. Up to a limit. */
    async countUnresolvedOf(scope: DifferenceScope): Promise<number> {
      return collection.countDocuments(
        { ...scope, ...NEEDS_ATTENTION },
        { limit: MAX_COUNTED_PAYMENTS, maxTimeMS: QUERY_TIME_MS },
      );
    },

    /** Those of one day with the resolved ones, or without a day, the unresolved ones. */
    async find(
      scope: DifferenceScope,
      day: string | undefined,
      { filter, sort, limit }: KeysetQuery,
    ): Promise<FoundDifference[]> {
      const which = day === undefined ? UNRESOLVED : { day };
      return collection
        .find<FoundDifference>(
          { ...scope, ...which, ...FOUND, ...filter },
          { sort, limit, maxTimeMS: QUERY_TIME_MS },
        )
        .toArray();
    },

    /**
     * Removes those of these sandbox payments of a team. Resolves to the payments whose difference stays until the audit log
     * has its entry.
     */
    async removeOfSandbox(teamId: string, paymentIds: readonly string[]): Promise<Set<string>> {
      if (paymentIds.length === 0) return new Set();
      const ofSandbox = { _id: { $in: [...paymentIds] }, team_id: teamId, environment: 'sandbox' } as const;
      await collection.deleteMany({ ...ofSandbox, 'outbox.id': { $exists: false } });
      const kept = await collection.find(ofSandbox, { projection: { _id: 1 } }).toArray();
      return new Set(kept.map(({ _id }) => _id));
    },

    async findOfPayment({ _id, team_id }: { _id: string; team_id: string }): Promise<FoundDifference | null> {
      return collection.findOne<FoundDifference>({ _id, team_id, ...FOUND });
    },
  };
}
