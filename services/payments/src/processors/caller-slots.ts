/**
 * Callers' cancellations that may be at one processor at the same time, in this process. Each holds a connection of a gateway
 * for as long as the adapter takes: without a limit, an adapter that hangs would occupy the connections that other payments need,
 * and the calls of its workers.
 */
export const MAX_CALLERS_PER_PROCESSOR = 10;

export interface CallerSlots {
  /** Runs the call; null without running it when the processor has no slot left. */
  run<Result>(processor: string, call: () => Promise<Result>): Promise<Result> | null;
}

export function createCallerSlots(): CallerSlots {
  const taken = new Map<string, number>();
  const count = (processor: string) => taken.get(processor) ?? 0;
  return {
    run(processor, call) {
      if (count(processor) >= MAX_CALLERS_PER_PROCESSOR) return null;
      taken.set(processor, count(processor) + 1);
      return call().finally(() => taken.set(processor, count(processor) - 1));
    },
  };
}
