/** Input and output of a command, so that tests can replace the terminal. */
export interface Terminal {
  input: AsyncIterable<Uint8Array>;
  print(line: string): void;
  printError(line: string): void;
  env: NodeJS.ProcessEnv;
  /** From this call on, Ctrl+C aborts the signal instead of the process. Pressed twice, it ends the process. */
  untilInterrupted(): AbortSignal;
}

export interface Command {
  /** One line in the list of commands. */
  summary: string;
  /** Names every option: shell completion offers those that it finds here. */
  usage: string;
  /** The words that can follow the name of the command. */
  actions?: readonly string[];
  /** Returns the exit code. Throws UsageError for errors that the user can fix, RequestRejected for those of the API. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** Shown without a stack trace. The command exits with `EXIT_USAGE`. */
export class UsageError extends Error {}

export const EXIT_OK = 0;
/** The command succeeded and its result is negative, or the API rejected the request. */
export const EXIT_NO = 1;
export const EXIT_USAGE = 2;
