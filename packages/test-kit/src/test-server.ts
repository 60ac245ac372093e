/** A server under the control of a test, on one port for its whole life. */
export interface TestServer {
  readonly url: string;
  /** Starts it again after `stop` or `kill`, on the same port and with what it had stored. */
  start(): Promise<void>;
  /** Ends it gracefully. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Ends it and removes all that it stored, while the test goes on: `start` then begins with an empty one. */
  deleteStore(): Promise<void>;
  /** Ends it for good and removes everything it left. */
  dispose(): Promise<void>;
}
