import { runInTrace } from '@tollgate/tracing/current-trace';
import type { Logger } from './logger.ts';

export interface Periodic {
  /** Starts a run without waiting for the interval. During a run, starts one more after it. */
  trigger(): void;
  /** Resolves when the run in flight, if any, has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `run` every `intervalMs`, counted from the end of one run to the start of the next, so that runs never overlap.
 * Logs the error of a run that fails, and continues.
 */
export function startPeriodic(task: {
  name: string;
  intervalMs: number;
  run: () => Promise<unknown>;
  logger: Logger;
}): Periodic {
  let stopped = false;
  let triggered = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  function schedule(delayMs: number) {
    clearTimeout(timer);
    timer = setTimeout(start, delayMs);
  }

  function start() {
    triggered = false;
    running = runOnce().finally(() => {
      running = undefined;
      if (!stopped) schedule(triggered ? 0 : task.intervalMs);
    });
  }

  async function runOnce() {
    try {
      // A trigger may come from a request: the work is not a part of its trace.
      await runInTrace(null, task.run);
    } catch (error) {
      task.logger.error({ err: error, task: task.name }, 'periodic task failed; it will run again');
    }
  }

  schedule(0);
  return {
    trigger() {
      if (stopped) return;
      triggered = true;
      if (!running) schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
