import { setTimeout as wait } from 'node:timers/promises';

/**
 * Callers that may wait for one processor at the same time, in this process. Each holds a connection of a gateway: without a limit, an
 * adapter that hangs would occupy the connections that other payments need, and the calls of its workers.
 */
export const MAX_CALLERS_PER_PROCESSOR = 10;

export function createCallerSlots() {
  const taken = new Map<string, number>();
  const count = (processor: string) => taken.get(processor) ?? 0;
  return {
    /**
     * Runs a call to the processor, and waits for its result. Null when the processor has no slot left, and when the time is over:
     * the call then continues in its slot, and its reply is used.
     */
    async run<Result>(
      processor: string,
      call: () => Promise<Result>,
      waitMs: number,
    ): Promise<Result | null> {
      if (count(processor) >= MAX_CALLERS_PER_PROCESSOR) return null;
      taken.set(processor, count(processor) + 1);
      const replied = new AbortController();
      const calling = call().finally(() => {
        taken.set(processor, count(processor) - 1);
        replied.abort();
      });
      const timeout = wait(waitMs, null, { signal: replied.signal, ref: false }).catch(() => null);
      return Promise.race([calling, timeout]);
    },
  };
}
