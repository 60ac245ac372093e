import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@tollgate/contracts/platform/problem';

/** Waits before each retry, in ms; a little over a second in total. */
const WAITS_MS = [5, 20, 50, 100, 250, 800];

/**
 * Retries `attempt` until it returns a result. A write can conflict with another that no majority has confirmed yet:
 * the losing request can neither write nor read the other's result. Moments later the other write is either readable or
 * rolled back.
 *
 * @throws Problem `unavailable`
 */
export async function retryUntilConfirmed<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (const waitMs of [...WAITS_MS, null]) {
    const response = await attempt();
    if (response !== null) return response;
    if (waitMs !== null) await sleep(waitMs);
  }
  throw new Problem('unavailable', 'Another request for this payment is in progress. Retry the request.', {
    retryAfterS: 1,
  });
}
