import { eventually } from '@tollgate/test-kit/eventually';

const TICK_MS = 10;
const COMPLETION_TIMEOUT_MS = 120_000;

export interface Failure {
  /** When it was seen, by `performance.now()`. */
  atMs: number;
  message: string;
}

export interface SteadyLoad {
  /** Requests that have succeeded or failed. */
  completed(): number;
  failures: readonly Failure[];
  /** Waits until this many more requests have completed. */
  complete(more: number): Promise<void>;
  /** Stops sending, and waits for what is in flight. */
  stop(): Promise<void>;
}

/**
 * Sends requests at a steady rate, whether or not earlier ones have completed, as independent callers do. A request that rejects is a
 * failure; none is repeated.
 */
export function startSteadyLoad(
  requestsPerSecond: number,
  send: (index: number) => Promise<unknown>,
): SteadyLoad {
  const failures: Failure[] = [];
  const inFlight = new Set<Promise<void>>();
  const startedAtMs = performance.now();
  let sent = 0;
  let completed = 0;

  async function sendOne(index: number): Promise<void> {
    try {
      await send(index);
    } catch (error) {
      failures.push({ atMs: performance.now(), message: messageOf(error as Error) });
    }
    completed += 1;
  }
  const timer = setInterval(() => {
    // The rate follows the clock: on a busy machine, timers are late.
    const due = Math.floor(((performance.now() - startedAtMs) / 1_000) * requestsPerSecond);
    while (sent < due) {
      const done: Promise<void> = sendOne(sent++).finally(() => inFlight.delete(done));
      inFlight.add(done);
    }
  }, TICK_MS);

  return {
    completed: () => completed,
    failures,
    async complete(more) {
      const wanted = completed + more;
      await eventually(`${wanted} requests have completed`, () => completed >= wanted, {
        timeoutMs: COMPLETION_TIMEOUT_MS,
      });
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

/** `fetch` hides the reason in the cause. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
