/** Input and output of a command, so that tests can replace the terminal. */
export interface Terminal {
  input: AsyncIterable<Uint8Array>;
  print(line: string): void;
  printError(line: string): void;
}

export interface Command {
  /** One line in the list of commands. */
  summary: string;
  usage: string;
  /** Returns the exit code. Throws UsageError for errors that the user can fix. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** Shown without a stack trace. The command exits with `EXIT_USAGE`. */
export class UsageError extends Error {}

export const EXIT_OK = 0;
/** The command succeeded, and its result is negative. */
export const EXIT_NO = 1;
export const EXIT_USAGE = 2;
