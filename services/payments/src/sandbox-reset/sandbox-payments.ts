import type { Connection } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import type { DifferenceStore } from '../reconciliation/difference-store.ts';
import type { VerifiedPayments } from '../seals/verified-payments.ts';
import { HISTORY_INDEXES } from '../store/history-indexes.ts';

/** The payments that a reset deletes. No query is without both: live data cannot match. */
export interface ResetScope {
  teamId: string;
  createdBefore: Date;
}

export interface DeletedBatch {
  /** Payments that the batch has read. */
  found: number;
  deleted: number;
}

/** Deletes payments of the sandbox, and of no other environment. */
export function createSandboxPayments({
  connection,
  verified,
  differences,
}: {
  connection: Connection;
  verified: VerifiedPayments;
  differences: Pick<DifferenceStore, 'removeOfSandbox'>;
}) {
  const collection = connection.collection<PaymentDocument>('payments');

  return {
    /**
     * Deletes the oldest payments with their differences. Those that still have something to say stay until it is said: the
     * audit log learns of a change by its event, and a purge of NATS by the payment.
     */
    async deleteBatch({ teamId, createdBefore }: ResetScope, limit: number): Promise<DeletedBatch> {
      const scope = { team_id: teamId, environment: 'sandbox', created_at: { $lt: createdBefore } } as const;
      const found = await collection
        .find(scope, { hint: HISTORY_INDEXES.all.name, sort: { created_at: 1, _id: 1 }, limit })
        .toArray();
      const silent = found.filter((payment) => !isWaiting(payment, verified));
      const kept = await differences.removeOfSandbox(teamId, silent.map(idOf));
      const removable = silent.filter(({ _id }) => !kept.has(_id));
      const [intact, altered] = [
        removable.filter((payment) => verified.isVerified(payment)),
        removable.filter((payment) => !verified.isVerified(payment)),
      ];
      // A payment that has changed since it was read has an event to publish. No event of one that fails verification is published.
      const counts = [
        await deleteOf(intact, { ...scope, 'history.published_at': { $ne: null } }),
        await deleteOf(altered, scope),
      ];
      return { found: found.length, deleted: counts.reduce((sum, count) => sum + count, 0) };
    },
  };

  /** Names the applications, because payments are sharded by them. */
  async function deleteOf(payments: readonly PaymentDocument[], scope: object): Promise<number> {
    if (payments.length === 0) return 0;
    const applicationIds = [...new Set(payments.map(({ application_id }) => application_id))];
    const { deletedCount } = await collection.deleteMany({
      ...scope,
      application_id: { $in: applicationIds },
      _id: { $in: payments.map(idOf) },
    });
    return deletedCount;
  }
}

function isWaiting(payment: PaymentDocument, verified: VerifiedPayments): boolean {
  if (payment.purge_due_at) return true;
  return payment.history.some(({ published_at }) => published_at === null) && verified.isVerified(payment);
}

function idOf({ _id }: PaymentDocument): string {
  return _id;
}
