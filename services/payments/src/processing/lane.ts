import { runInTrace } from '@tollgate/tracing/current-trace';
import type { Context } from '../context.ts';
import { type PaymentDocument, traceOfEntry } from '../lifecycle/payment.ts';
import type { Processor } from '../processors/processor.ts';
import { advancePayment } from './advance-payment.ts';

/** Payments that are read from the store at once. */
const READ_AT_ONCE = 50;

/** The due payments of one processor. Each has its own lane, so that a slow one does not delay the payments of others. */
export function createLane(context: Context, processor: Processor) {
  const { store, clock, logger, stopping } = context;
  const inProgress = new Set<Promise<unknown>>();

  function begin(payment: PaymentDocument): void {
    // What the processor does continues the trace of the request that created the payment.
    const [creation] = payment.history;
    const trace = creation ? traceOfEntry(creation) : null;
    const advancing: Promise<unknown> = runInTrace(trace, () => advancePayment(context, payment))
      // A payment that cannot be settled must not delay the others. It is due again when its lease expires.
      .catch((error: unknown) =>
        logger.error({ err: error, payment_id: payment._id }, 'settlement failed; it will be retried'),
      )
      .finally(() => inProgress.delete(advancing));
    inProgress.add(advancing);
  }

  async function hasRoom(): Promise<boolean> {
    while (inProgress.size > 0 && inProgress.size >= processor.capacity()) await Promise.race(inProgress);
    return processor.capacity() > 0 && !stopping.aborted;
  }

  return {
    /** Takes every payment that is due now a step further. Resolves when the last one has begun, or when no more may begin. */
    async run(): Promise<void> {
      // The lane may still be full, or its processor unavailable.
      if (!(await hasRoom())) return;
      for await (const payment of store.findDue(processor.name, new Date(clock.now()), READ_AT_ONCE)) {
        if (!(await hasRoom())) return;
        begin(payment);
      }
    },
    /** Resolves when no payment is in progress. */
    async idle(): Promise<void> {
      await Promise.all(inProgress);
    },
  };
}
