import type { Component, RunningComponent } from './component.ts';
import { ConfigError } from './config.ts';
import { onStop } from './graceful-stop.ts';
import { createLogger } from './logger.ts';

/**
 * Runs a component as this process, until a signal or a fatal error stops it. If it cannot start, logs why in one JSON line, like
 * everything else that it logs, and exits with 1.
 */
export async function runComponent({ name, start }: Component): Promise<void> {
  let running: RunningComponent | null = null;
  const startLogger = () => createLogger({ service: name, isSynchronous: true });
  // Before the start, which can wait for NATS: the first process of a container ignores signals that it does not handle.
  onStop({
    logger: () => running?.logger ?? startLogger(),
    steps: [{ name: 'stop', run: () => running?.stop() }],
  });
  try {
    running = await start(process.env);
  } catch (error) {
    if (error instanceof ConfigError)
      startLogger().fatal(`The configuration is not valid. ${error.problems.join(' ')}`);
    else startLogger().fatal({ err: error }, 'the process could not start');
    process.exit(1);
  }
}
