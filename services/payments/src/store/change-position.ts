import type { QueryFilter } from 'mongoose';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** The position after which a listing by time of change continues. */
export interface ChangePosition {
  updatedAt: Date;
  paymentId: string;
}

export function fromPosition({ updatedAt, paymentId }: ChangePosition): QueryFilter<PaymentDocument> {
  return {
    // Repeats the condition of $or as bounds for the index scan.
    updated_at: { $gte: updatedAt },
    $or: [{ updated_at: { $gt: updatedAt } }, { _id: { $gte: paymentId } }],
  };
}

/** Beside a condition that excludes earlier times of change. */
export function afterPosition({ updatedAt, paymentId }: ChangePosition) {
  return [{ updated_at: { $gt: updatedAt } }, { _id: { $gt: paymentId } }];
}
