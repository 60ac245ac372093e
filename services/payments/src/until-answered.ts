import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@tollgate/contracts/problem';

/** Waits before each further try, in ms; a little over a second in all. */
const WAITS_MS = [5, 20, 50, 100, 250, 800];

/**
 * Tries until `attempt` has a response. A write can lose to another that no majority has confirmed yet: the loser can neither write
 * nor read what it lost to. Moments later the other write is there to be read, or is undone and the way is free.
 *
 * @throws Problem `unavailable`
 */
export async function untilAnswered<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (const waitMs of [...WAITS_MS, null]) {
    const answer = await attempt();
    if (answer !== null) return answer;
    if (waitMs !== null) await sleep(waitMs);
  }
  throw new Problem('unavailable', 'Another request for this payment is in progress. Retry the request.', {
    retryAfterS: 1,
  });
}
