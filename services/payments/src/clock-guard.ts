import type { Logger } from '@tollgate/runtime/logger';
import type { ServiceContext } from '@tollgate/service/service';

/**
 * Skips a task that cannot be undone while the clock of this machine differs from MongoDB's: a clock that is ahead would end
 * and erase payments too early. The other instances continue, or this one does once its clock is right.
 */
export function createClockGuard(deps: {
  compareClock: ServiceContext<unknown>['compareClock'];
  logger: Logger;
}): (task: string, run: () => Promise<void>) => () => Promise<void> {
  const { compareClock, logger } = deps;
  return (task, run) => async () => {
    const reason = await compareClock();
    if (reason === null) return run();
    logger.error({ task, reason }, 'the clock is wrong; the task is skipped');
  };
}
