import type { PaymentDocument, SettlementOutcome } from './payment.ts';

/** What a processor says when asked: how the settlement ended, or when to ask again. */
export type ProcessorAnswer = SettlementOutcome | { status: 'undecided'; askAgainAt: Date };

/** Moves the money, or pretends to. New processors are added in app.ts. */
export interface Processor {
  /** Stored in each payment that it settles. */
  name: string;
  /** When a worker first takes a new payment up; null when the payment waits for someone else. */
  firstDueAt(payment: { payment_method: string | null; createdAt: Date }): Date | null;
  /**
   * Settles a payment in `processing`. Must be idempotent by the payment's id: a worker that takes over from one that
   * died asks again.
   */
  settle(payment: PaymentDocument, now: Date): Promise<ProcessorAnswer>;
}
