import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { MAX_MEASURED_PAYMENTS } from '../store/measured.ts';

export type ProcessorMetrics = ReturnType<typeof createProcessorMetrics>;

export function createProcessorMetrics(registry: Registry) {
  const registers = [registry];
  const calls = new Histogram({
    name: 'tollgate_processor_call_duration_seconds',
    help: 'Duration of calls to processors, by call and by the status that the processor reported',
    labelNames: ['processor', 'call', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const callbacks = new Counter({
    name: 'tollgate_processor_callbacks_total',
    help: 'Callbacks of processors, by outcome: applied, rejected',
    labelNames: ['processor', 'outcome'],
    registers,
  });
  const payments = new Gauge({
    name: 'tollgate_processor_payments',
    help: `Payments across all instances, by state: open, stuck (processing for too long), differing (the processor reports something else than a refund). Counted up to ${MAX_MEASURED_PAYMENTS}: this value means at least as many`,
    labelNames: ['processor', 'state'],
    registers,
  });
  const available = new Gauge({
    name: 'tollgate_processor_available',
    help: '0 while this instance does not call the processor, because its calls failed or it is not configured',
    labelNames: ['processor'],
    registers,
  });
  return {
    observeCall: ({
      durationMs,
      ...labels
    }: {
      processor: string;
      call: string;
      outcome: string;
      durationMs: number;
    }) => calls.observe(labels, durationMs / SECOND_MS),
    countCallback: (callback: { processor: string; outcome: 'applied' | 'rejected' }) =>
      callbacks.inc(callback),
    /**
     * Open payments are pending or processing; stuck ones have been processing for too long; differing ones have ended, and
     * the processor reports something else.
     */
    setPayments(
      processor: string,
      { open, stuck, differing }: { open: number; stuck: number; differing: number },
    ): void {
      payments.set({ processor, state: 'open' }, open);
      payments.set({ processor, state: 'stuck' }, stuck);
      payments.set({ processor, state: 'differing' }, differing);
    },
    setAvailable: (processor: string, isAvailable: boolean) =>
      available.set({ processor }, isAvailable ? 1 : 0),
  };
}
