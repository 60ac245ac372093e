import closeWithGrace from 'close-with-grace';
import type { Logger } from './logger.ts';

export interface StopStep {
  name: string;
  run: () => Promise<unknown> | unknown;
}

/** On SIGTERM, SIGINT or a fatal error: stops, then exits. `stop` limits its own time. If it rejects, the exit code is 1. */
export function onStop({ logger, stop }: { logger: Logger; stop: () => Promise<void> }): void {
  // A closed terminal or parent (SIGHUP, EPIPE) also stops the process. `beforeExit` cannot occur while a listener is open.
  closeWithGrace({ delay: false, logger: false }, async ({ signal, err }) => {
    if (err) logger.fatal({ err }, 'stopping after a fatal error');
    else logger.info({ signal }, 'stopping');
    await stop();
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
