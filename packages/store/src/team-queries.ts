import { Problem } from '@tollgate/contracts/platform/problem';
import { type BoundedQueue, createBoundedQueue, QueueFull } from '@tollgate/runtime/bounded-queue';

/** The `maxTimeMS` of every query of a member whose cost depends on how much the team has stored. */
export const QUERY_TIME_MS = 2_000;
/** A page of the dashboard sends fewer searches at once. */
const AT_ONCE_PER_TEAM = 4;
/** They would take 16 s if each took its whole time, which is within the deadline of the callers. */
const MAX_WAITING_PER_TEAM = 32;
const RETRY_AFTER_S = 1;
/** MaxTimeMSExpired */
const TIMED_OUT = 50;

/**
 * Limits how much of a service and its database the searches of one team occupy, so that they delay no other team. Counts
 * in this process alone.
 */
export function createTeamQueries() {
  /** Teams with a query that runs. */
  const queues = new Map<string, BoundedQueue>();

  return {
    /**
     * Runs a query of a member, once it is the team's turn. The query must be sent with `maxTimeMS: QUERY_TIME_MS`. Throws
     * `query-timeout` if it exceeds that, and `rate-limited` if too many queries of the team wait.
     */
    async run<Result>(teamId: string, query: () => Promise<Result>): Promise<Result> {
      const queue =
        queues.get(teamId) ??
        createBoundedQueue({ atOnce: AT_ONCE_PER_TEAM, maxWaiting: MAX_WAITING_PER_TEAM });
      queues.set(teamId, queue);
      try {
        return await queue.run(query);
      } catch (error) {
        throw asProblem(error);
      } finally {
        if (queue.isIdle()) queues.delete(teamId);
      }
    },
  };
}

function asProblem(error: unknown): unknown {
  if (error instanceof QueueFull) {
    return new Problem('rate-limited', 'Too many searches of your team are in progress.', {
      retryAfterS: RETRY_AFTER_S,
    });
  }
  if ((error as { code?: unknown } | null)?.code !== TIMED_OUT) return error;
  return new Problem(
    'query-timeout',
    `The search took longer than ${QUERY_TIME_MS / 1000} s. Narrow it, for example to a shorter period.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
