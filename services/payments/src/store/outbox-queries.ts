import { ID_PATTERNS } from '@tollgate/contracts/platform/ids';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { batchesOf } from './batches.ts';
import { type ChangePosition, fromPosition } from './change-position.ts';
import type { PaymentCollections } from './payment-collections.ts';
import { UNPUBLISHED_INDEX } from './payment-indexes.ts';

/** Maximum number of payments that one measurement of the outbox reads. A longer backlog triggers every alert anyway. */
const MAX_PAYMENTS_FOR_AGE = 1_000;

/** Payments whose events are to be published, and payments by the time of their last change. */
export function outboxQueries({ Model, collection }: PaymentCollections) {
  return {
    /** Used by background work over all applications: payments changed before `changedBefore` with unpublished events. */
    findUnpublished(changedBefore: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const unpublished = { 'history.published_at': null, updated_at: { $lt: changedBefore } };
      return batchesOf(
        // The index of all changes also provides this order, but it contains every payment.
        collection.find(unpublished, { hint: UNPUBLISHED_INDEX, sort: { updated_at: 1 }, batchSize }),
        batchSize,
      );
    },

    /**
     * Time of the oldest unpublished event; null if there is none. Of a larger backlog, it reads those payments that have not changed
     * for the longest time.
     */
    async oldestUnpublishedAt(): Promise<Date | null> {
      const payments = await collection
        .find({ 'history.published_at': null })
        .hint(UNPUBLISHED_INDEX)
        .sort({ updated_at: 1 })
        .limit(MAX_PAYMENTS_FOR_AGE)
        .project<Pick<PaymentDocument, 'history'>>({ 'history.published_at': 1, 'history.occurred_at': 1 })
        .toArray();
      const times = payments
        .flatMap(({ history }) => history)
        .filter(({ published_at }) => published_at === null)
        .map(({ occurred_at }) => occurred_at.getTime());
      return times.length === 0 ? null : new Date(Math.min(...times));
    },

    /** Marks events as published: one write for many payments. */
    async markPublished(
      events: { applicationId: string; paymentId: string; version: number }[],
      publishedAt: Date,
    ): Promise<void> {
      await collection.bulkWrite(
        events.map(({ applicationId, paymentId, version }) => ({
          updateOne: {
            filter: { application_id: applicationId, _id: paymentId },
            // The entry of version n is at index n - 1: each version has one entry, and entries are never removed.
            update: { $set: { [`history.${version - 1}.published_at`]: publishedAt } },
          },
        })),
        { ordered: false },
      );
    },

    /**
     * Payments by time of their last change, oldest first, from a time or a position on (inclusive). Without documents
     * whose id this service did not create: their position could not be returned to a caller.
     */
    async changedSince(from: Date | ChangePosition, limit: number): Promise<PaymentDocument[]> {
      return Model.find({
        ...(from instanceof Date ? { updated_at: { $gte: from } } : fromPosition(from)),
        _id: { $regex: ID_PATTERNS.payment },
      })
        .sort({ updated_at: 1, _id: 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
    },
  };
}
