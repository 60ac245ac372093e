import { availableParallelism } from 'node:os';
import { Problem } from '@tollgate/contracts/platform/problem';
import { RPC_DEADLINE_MS } from '@tollgate/contracts/platform/rpc-contract';

/** libuv has four threads; one stays free for the rest of the process, such as host name lookups. */
const MAX_SLOTS = 3;
/** One core stays free for the event loop: every admin request depends on this service. */
const SLOTS = Math.min(MAX_SLOTS, Math.max(1, availableParallelism() - 1));
/** Far more than can be served before the callers' deadline. */
const MAX_WAITING = 1_000;

export interface HashQueue {
  /**
   * Resolves to the result of `hashing`, once it is the requester's turn. Throws `unavailable`, without hashing, when
   * too many wait, or when the turn comes after the caller's deadline.
   */
  run<Result>(requester: string, hashing: () => Promise<Result>): Promise<Result>;
}

interface Job {
  enqueuedAtMs: number;
  start(): Promise<void>;
  reject(reason: Problem): void;
}

/** The waiting jobs of one requester, never empty. */
interface Line {
  requester: string;
  jobs: Job[];
}

/**
 * Runs a few hashings at a time, and requesters take turns: a requester who sends hundreds of passwords at once waits
 * for them alone, and delays others by no more than the hashings that already run. A new requester goes first; one that
 * had a turn goes to the end, even when it returns. So under overload from any number of addresses some requests are
 * still served at once; in order of arrival, every request would time out. `nowMs` is a monotonic clock.
 */
export function createHashQueue({
  slots = SLOTS,
  maxWaiting = MAX_WAITING,
  nowMs = () => performance.now(),
}: {
  slots?: number;
  maxWaiting?: number;
  nowMs?: () => number;
} = {}): HashQueue {
  /** The next turn's line is first. */
  const lines: Line[] = [];
  /**
   * When each requester last had a turn, oldest first. An entry expires after the RPC deadline, because no waiting
   * request is older.
   */
  const lastTurnAtMs = new Map<string, number>();
  let waiting = 0;
  let running = 0;

  function add(requester: string, job: Job): void {
    const line = lines.find((other) => other.requester === requester);
    if (line) line.jobs.push(job);
    else if (hadTurn(requester)) lines.push({ requester, jobs: [job] });
    else lines.unshift({ requester, jobs: [job] });
    waiting += 1;
    if (waiting > maxWaiting) rejectLast();
  }

  function hadTurn(requester: string): boolean {
    for (const [other, atMs] of lastTurnAtMs) {
      if (nowMs() - atMs < RPC_DEADLINE_MS) break;
      lastTurnAtMs.delete(other);
    }
    return lastTurnAtMs.has(requester);
  }

  function takeNext(): Job | undefined {
    const line = lines.shift();
    if (!line) return undefined;
    const job = line.jobs.shift();
    if (line.jobs.length > 0) lines.push(line);
    waiting -= 1;
    lastTurnAtMs.delete(line.requester);
    lastTurnAtMs.set(line.requester, nowMs());
    return job;
  }

  function rejectLast(): void {
    const line = lines.at(-1);
    line?.jobs.pop()?.reject(overloaded());
    if (line?.jobs.length === 0) lines.pop();
    waiting -= 1;
  }

  function fillSlots(): void {
    while (running < slots) {
      const job = takeNext();
      if (!job) return;
      if (nowMs() - job.enqueuedAtMs >= RPC_DEADLINE_MS) {
        job.reject(overloaded());
        continue;
      }
      running += 1;
      void job.start().finally(() => {
        running -= 1;
        fillSlots();
      });
    }
  }

  return {
    run(requester, hashing) {
      return new Promise((resolve, reject) => {
        add(requester, {
          enqueuedAtMs: nowMs(),
          start: () => hashing().then(resolve, reject),
          reject,
        });
        fillSlots();
      });
    },
  };
}

function overloaded(): Problem {
  return new Problem('unavailable', 'Too many sign-ins are in progress. Try again.', { retryAfterS: 1 });
}
