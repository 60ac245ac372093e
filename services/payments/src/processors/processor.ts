import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import type { PaymentDocument } from '../lifecycle/payment.ts';

/** A processor's reply to a call. Without `askAgainAt`, the worker decides when to ask again. */
export type ProcessorState = PaymentState & { askAgainAt?: Date };

/**
 * Moves the money, or simulates it. A call that throws decides nothing: the payment stays as it is, and a worker asks again.
 * Calls for one payment may be repeated and may overlap, so each must be idempotent by the payment's id.
 */
export interface Processor {
  /** Stored in each payment of this processor. */
  name: string;
  /** Part of Tollgate. All others are behind adapters. */
  isBuiltIn: boolean;
  /**
   * Checks the payment method of a new payment, if the processor can do so without a call.
   * @throws Problem `invalid-request`
   */
  assertMethod?(paymentMethod: string): void;
  /** When a worker first calls `start`; null when the payment waits for a member. */
  firstDueAt(payment: { payment_method: string | null; createdAt: Date }): Date | null;
  /** Starts the payment, or returns its state if it was started before. */
  start(payment: PaymentDocument, now: Date): Promise<ProcessorState>;
  /** The current state; null when the payment was never started. */
  status(payment: PaymentDocument, now: Date): Promise<ProcessorState | null>;
  /** Prevents that money moves, and returns `canceled`; or the actual state when it is too late. */
  cancel(payment: PaymentDocument, now: Date): Promise<ProcessorState>;
  /** How many calls of workers may run at the same time, now; 0 while the processor is unavailable. */
  capacity(): number;
  /** False while calls are suspended because they failed. */
  isAvailable(): boolean;
  /** Page of a payment at the processor; null when the operator configured no address. */
  urlOf(reference: string): string | null;
}

export type Processors = ReadonlyMap<string, Processor>;

/** @throws Error for the name of a processor that this instance does not have */
export function processorNamed(processors: Processors, name: string): Processor {
  const processor = processors.get(name);
  if (!processor) {
    throw new Error(
      `The processor "${name}" is not configured. Add it to PROCESSORS_FILE: payments need it.`,
    );
  }
  return processor;
}
