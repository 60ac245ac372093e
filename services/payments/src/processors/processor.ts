import type { PaymentDocument, SettlementOutcome } from '../lifecycle/payment.ts';

/** A processor's reply: how the settlement ended, or when to ask again. */
export type ProcessorOutcome = SettlementOutcome | { status: 'undecided'; askAgainAt: Date };

/** Moves the money, or simulates it. `buildApp` lists all processors. */
export interface Processor {
  /** Stored in each payment that this processor settles. */
  name: string;
  /** When a worker first claims a new payment; null when the payment waits for a member. */
  firstDueAt(payment: { payment_method: string | null; createdAt: Date }): Date | null;
  /**
   * Settles a payment in `processing`. Must be idempotent by the payment's id: a worker that replaces a crashed one
   * calls it again.
   */
  settle(payment: PaymentDocument, now: Date): Promise<ProcessorOutcome>;
}

export type Processors = ReadonlyMap<string, Processor>;

/** @throws Error for the name of a processor that this version of the service does not have */
export function processorNamed(processors: Processors, name: string): Processor {
  const processor = processors.get(name);
  if (!processor) throw new Error(`Unknown processor "${name}"`);
  return processor;
}
