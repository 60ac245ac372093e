import type { ProcessorCall } from '../lifecycle/payment.ts';

/** What this instance has seen of a processor since it started. */
export interface SeenHealth {
  lastSuccessAt: Date | null;
  lastError: { at: Date; call: ProcessorCall['call']; message: string } | null;
}

export interface ProcessorHealthLog {
  note(processor: string, call: ProcessorCall): void;
  of(processor: string): SeenHealth;
}

export function createProcessorHealthLog(): ProcessorHealthLog {
  const seen = new Map<string, SeenHealth>();
  const healthOf = (processor: string) => seen.get(processor) ?? { lastSuccessAt: null, lastError: null };
  return {
    note(processor, { at, call, error }) {
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
