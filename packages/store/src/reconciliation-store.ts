import type { Connection } from 'mongoose';
import { createLeases } from './lease.ts';

/** The progress of reconciling the events of payments: one document, shared by all instances. */
export interface ReconciliationDocument {
  _id: 'payments';
  /** Every event before this time, on payments' clock, has been processed. Null before the first run. */
  reconciled_until: Date | null;
  /** Until this time, no other instance starts a run. */
  claimed_until: Date;
  /** When the next run is due. */
  due_at: Date;
}

export type ReconciliationStore = ReturnType<typeof createReconciliationStore>;

export function createReconciliationStore(connection: Connection) {
  const collection = connection.collection<ReconciliationDocument>('reconciliations');
  return {
    ...createLeases<ReconciliationDocument>(collection, { until: 'claimed_until' }),

    /** Records progress without the lease. It never decreases. */
    async advance(reconciledUntil: Date): Promise<void> {
      await collection.updateOne({ _id: 'payments' }, { $max: { reconciled_until: reconciledUntil } });
    },
  };
}
