import { type Erasure, erasedPayment } from '../lifecycle/erased-payment.ts';
import type { PaymentDocument } from '../lifecycle/payment.ts';
import { FINAL_STATUSES, isFinal } from '../lifecycle/transitions.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { afterPosition, type ChangePosition } from './change-position.ts';
import { erasingUpdate } from './erasing-update.ts';
import type { PaymentCollections } from './payment-collections.ts';
import { NOT_ERASED, RETENTION_INDEX } from './payment-indexes.ts';
import { ownerOf } from './payment-owner.ts';

/** Payments whose personal data is erased, by request or at the end of their retention. */
export function erasureQueries({ collection }: PaymentCollections, seals: HistorySeals) {
  return {
    /**
     * Removes the personal data of a payment that has ended, and seals what is left again. Null when the payment changed
     * since it was read.
     */
    async erase(payment: PaymentDocument, erasure: Erasure): Promise<PaymentDocument | null> {
      const { _id, status, version } = payment;
      if (!isFinal(status)) throw new Error(`The payment ${_id} is ${status}, and cannot be erased`);
      const erased = erasedPayment(payment, erasure);
      return collection.findOneAndUpdate(
        { ...ownerOf(payment), _id, status, version },
        erasingUpdate(erased, (entry) => seals.sealOf(erased, entry)),
        { returnDocument: 'after' },
      );
    },

    /**
     * Used by background work over all applications of a team: payments that ended before a time and are not erased, by the
     * time at which they ended, after a position.
     */
    async findRetained(
      teamId: string,
      endedBefore: Date,
      after: ChangePosition | null,
      limit: number,
    ): Promise<PaymentDocument[]> {
      return collection
        .find({
          team_id: teamId,
          ...NOT_ERASED,
          updated_at: { ...(after && { $gte: after.updatedAt }), $lt: endedBefore },
          ...(after && { $or: afterPosition(after) }),
          status: { $in: FINAL_STATUSES },
        })
        .sort({ updated_at: 1, _id: 1 })
        .hint(RETENTION_INDEX)
        .limit(limit)
        .toArray();
    },

    /** Used by background work over all applications: erased payments of which NATS may still have messages. */
    async findPurgeDue(now: Date, limit: number): Promise<PaymentDocument[]> {
      return collection.find({ purge_due_at: { $lte: now } }, { sort: { purge_due_at: 1 }, limit }).toArray();
    },

    /** Makes the next purge record all erasures again. Reads every payment, so call this only after NATS lost its store. */
    async purgeErasedAgain(now: Date): Promise<void> {
      await collection.updateMany(
        { 'history.is_erasure': true },
        { $set: { purge_due_at: now }, $unset: { purged_at: 1 } },
      );
    },

    /** NATS was purged for the first time, and is purged once more. */
    async repeatPurge(payment: PaymentDocument, at: { purgedAt: Date; dueAt: Date }): Promise<void> {
      const set = { purged_at: at.purgedAt, purge_due_at: at.dueAt };
      await collection.updateOne({ ...ownerOf(payment), _id: payment._id }, { $set: set });
    },

    /** NATS has no message of the payment any more. */
    async endPurge(payment: PaymentDocument): Promise<void> {
      const unset = { purged_at: 1, purge_due_at: 1 } as const;
      await collection.updateOne({ ...ownerOf(payment), _id: payment._id }, { $unset: unset });
    },
  };
}
