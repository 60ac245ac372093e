/** A server controlled by a test, on the same port all the time. */
export interface TestServer {
  readonly url: string;
  /** Its process on this machine; null in a container, and while it is stopped. */
  readonly pid: number | null;
  /** The folder of its data; null in a container. */
  readonly storeDir: string | null;
  /** Everything that it has written to its log, also before it was restarted. */
  output(): Promise<string>;
  /** Starts the server again after `stop` or `kill`, on the same port and with its data. */
  start(): Promise<void>;
  /** Stops the server gracefully. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Stops the server and removes its data while the test continues: `start` then starts an empty one. */
  deleteStore(): Promise<void>;
  /** Stops the server permanently and removes all its files. */
  dispose(): Promise<void>;
}
