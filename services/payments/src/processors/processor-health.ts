import type { ProcessorCall } from '../lifecycle/payment.ts';

/** What this instance has seen of a processor since it started. */
interface SeenHealth {
  lastSuccessAt: Date | null;
  lastError: { at: Date; call: ProcessorCall['call']; message: string } | null;
}

export function createProcessorHealthLog() {
  const seen = new Map<string, SeenHealth>();
  const healthOf = (processor: string): SeenHealth =>
    seen.get(processor) ?? { lastSuccessAt: null, lastError: null };
  return {
    note(processor: string, { at, call, error }: ProcessorCall): void {
      const health = healthOf(processor);
      seen.set(
        processor,
        error === null
          ? { ...health, lastSuccessAt: at }
          : { ...health, lastError: { at, call, message: error } },
      );
    },
    of: healthOf,
  };
}
