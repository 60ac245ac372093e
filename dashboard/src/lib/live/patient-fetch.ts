import { reconnectDelayMs } from './reconnect-delay.ts';

/** The statuses with which a proxy says that the dashboard does not respond. */
const UNREACHABLE = [502, 503, 504];

/** A `fetch` that repeats a read until the server responds. `onReached` is called after each attempt. */
export function createPatientFetch(
  send: typeof fetch,
  { onReached }: { onReached(isReached: boolean): void },
) {
  const waiting = new Set<() => void>();

  function pause(failures: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, reconnectDelayMs(failures, Math.random()));
      waiting.add(done);
      function done() {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
    });
  }

  /** Null when the server cannot be reached. */
  async function attempt(input: RequestInfo | URL, init?: RequestInit): Promise<Response | null> {
    try {
      const response = await send(input, init);
      return UNREACHABLE.includes(response.status) ? null : response;
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      return null;
    }
  }

  return {
    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      for (let failures = 1; ; failures += 1) {
        const response = await attempt(input, init);
        onReached(response !== null);
        if (response) return response;
        await pause(failures);
      }
    },
    /** Makes the next attempt of each waiting request now. */
    retry() {
      for (const done of [...waiting]) done();
    },
  };
}
