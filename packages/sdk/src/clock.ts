/** Time and chance, so that tests neither wait nor guess. */
export interface Clock {
  /** Monotonic, so that a corrected system clock moves no deadline. */
  nowMs(): number;
  /** Resolves after this time; rejects with the reason of the signal when it aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to 1, as `Math.random`. */
  random(): number;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
