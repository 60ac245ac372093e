import type { Clock } from '@tollgate/runtime/clock';
import type { Processors } from '../processors/processor.ts';
import type { ProcessorMetrics } from '../processors/processor-metrics.ts';
import type { PaymentStore } from '../store/payment-store.ts';

/** Counts the payments at each processor that are open, and those that are stuck, for operators to see. Changes nothing. */
export async function countOpenPayments(deps: {
  store: PaymentStore;
  processors: Processors;
  metrics: ProcessorMetrics;
  clock: Clock;
  stuckAfterMs: number;
}): Promise<void> {
  const { store, processors, metrics, clock, stuckAfterMs } = deps;
  const stuckSince = new Date(clock.now() - stuckAfterMs);
  for (const name of processors.keys()) metrics.setPayments(name, await store.countOpen(name, stuckSince));
}
