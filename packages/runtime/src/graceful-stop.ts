import closeWithGrace from 'close-with-grace';
import type { Logger } from './logger.ts';

export interface StopStep {
  name: string;
  run: () => Promise<unknown> | unknown;
}

/** Longer than the gateway's timeout for payments, so that requests in flight can complete. */
const STOP_TIMEOUT_MS = 28_000;

/**
 * On SIGTERM, SIGINT or a fatal error: runs the steps in order (unready, drain, flush, close), then exits. The logger is asked for then,
 * because a process has another one before it has read its configuration.
 */
export function onStop(options: { logger: () => Logger; steps: StopStep[]; timeoutMs?: number }): void {
  const { steps, timeoutMs = STOP_TIMEOUT_MS } = options;
  // A closed terminal or parent (SIGHUP, EPIPE) also stops the process. `beforeExit` cannot occur while a listener is open.
  closeWithGrace({ delay: timeoutMs, logger: false }, async ({ signal, err }) => {
    const logger = options.logger();
    if (err) logger.fatal({ err }, 'stopping after a fatal error');
    else logger.info({ signal }, 'stopping');
    await runStopSteps(steps, logger);
    logger.info('stopped');
  });
}

/** Runs the steps in order. Logs the error of a step that fails, and continues with the next step. */
export async function runStopSteps(steps: StopStep[], logger: Logger): Promise<void> {
  for (const step of steps) {
    try {
      await step.run();
    } catch (error) {
      logger.error({ err: error, step: step.name }, 'shutdown step failed');
    }
  }
}
