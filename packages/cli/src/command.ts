/** Input and output of a command, so that tests can replace the terminal. */
export interface Terminal {
  input: AsyncIterable<Uint8Array>;
  print(line: string): void;
  printError(line: string): void;
  /** Opens an http or https URL in the browser, if there is one. */
  openUrl(url: string): Promise<void>;
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
  /** Returns the exit code. Throws UsageError for what the user can fix, and NegativeResult, which a rejection by the API is, too. */
  run(args: string[], terminal: Terminal): Promise<number>;
}

/** Shown without a stack trace. The command exits with `EXIT_USAGE`. */
export class UsageError extends Error {}

/** The command was called in the wrong way: its usage follows the message. */
export class ArgumentError extends UsageError {}

/** The command has done its work, and the result is negative. It exits with `EXIT_NO`. */
export class NegativeResult extends Error {}

export const EXIT_OK = 0;
/** The command succeeded and its result is negative, or the API rejected the request. */
export const EXIT_NO = 1;
export const EXIT_USAGE = 2;
