import type { Environment } from './config.ts';
import type { Logger } from './logger.ts';

/** A part of the platform that runs in a process of its own or beside others: a service, the gateway, or the dashboard. */
export interface Component {
  name: string;
  /**
   * Reads its configuration from `env`, and resolves when it runs.
   * @throws ConfigError that names every wrong variable
   */
  start(env: Environment): Promise<RunningComponent>;
}

export interface RunningComponent {
  logger: Logger;
  /** Becomes unready, finishes what is in flight, and closes everything. */
  stop(): Promise<void>;
}
