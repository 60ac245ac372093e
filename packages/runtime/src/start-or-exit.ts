import { ConfigError } from './config.ts';
import { createLogger } from './logger.ts';

/**
 * Starts a process. If that fails, logs why in one JSON line, like everything else that it logs, and exits with 1. For what
 * happens before `onStop`, which handles later errors.
 */
export async function startOrExit(service: string, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const logger = createLogger({ service, isSynchronous: true });
    if (error instanceof ConfigError)
      logger.fatal(`The configuration is not valid. ${error.problems.join(' ')}`);
    else logger.fatal({ err: error }, 'the process could not start');
    process.exit(1);
  }
}
