/** What a command reads and writes, so that tests can stand in for a terminal. */
export interface Terminal {
  input: AsyncIterable<Uint8Array>;
  print(line: string): void;
  printError(line: string): void;
}

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  usage: string;
  /** Returns the exit code. Throws UsageError for what the person who typed the command can fix. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** Said without a stack trace; the command exits with `EXIT_USAGE`. */
export class UsageError extends Error {}

export const EXIT_OK = 0;
/** What was asked for was done, and the result is no. */
export const EXIT_NO = 1;
export const EXIT_USAGE = 2;
