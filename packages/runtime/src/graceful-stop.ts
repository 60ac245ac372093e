import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { MAX_DRAIN_DELAY_MS } from './config.ts';
import type { Logger } from './logger.ts';

export interface StopStep {
  name: string;
  run: () => Promise<unknown> | unknown;
}

/** Longer than the gateway's timeout for payments, so that requests in flight can complete. */
const STOP_TIMEOUT_MS = 28_000;

/**
 * The step between "not ready" and the closing of the listeners. Until a balancer has probed the readiness again, it sends new requests,
 * which are served as before.
 */
export function waitForBalancers(drainDelayMs: number): StopStep {
  return { name: 'wait for balancers', run: () => sleep(drainDelayMs) };
}

/**
 * On SIGTERM, SIGINT or a fatal error: runs the steps in order (unready, drain, flush, close), then exits. `logger` is a function because
 * the process replaces its logger after it has read its configuration.
 */
export function onStop(options: { logger: () => Logger; steps: StopStep[]; timeoutMs?: number }): void {
  const { steps, timeoutMs = MAX_DRAIN_DELAY_MS + STOP_TIMEOUT_MS } = options;
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
