/** Time and chance, so that tests neither wait nor guess. */
export interface Clock {
  /** Monotonic, so that a corrected system clock moves no deadline. */
  nowMs(): number;
  /** Resolves after this time, or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to 1, as `Math.random`. */
  random(): number;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted) end();
    }),
};
