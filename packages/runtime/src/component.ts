import type { Environment } from './config.ts';

/** A part of the platform that runs in a process of its own or beside others: a service, the gateway, or the dashboard. */
export interface Component {
  name: string;
  /**
   * Reads its configuration from `env`. Nothing is opened yet.
   * @throws ConfigError that names every wrong variable
   */
  configure(env: Environment): ConfiguredComponent;
}

export interface ConfiguredComponent {
  /** Time for which the component continues to serve after it has become unready, so that balancers notice; 0 without a balancer. */
  drainDelayMs: number;
  /** Resolves when it runs. */
  start(): Promise<RunningComponent>;
}

export interface RunningComponent {
  /** Reports "not ready", and serves as before. */
  becomeUnready(): void;
  /** Becomes unready, finishes what is in flight, and closes everything. */
  stop(): Promise<void>;
}
