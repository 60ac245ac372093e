import {
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';

/** Maximum size of a log. One earlier log is kept, so a process uses at most twice this size, plus the lines between two checks. */
const MAX_BYTES = 20 * 1024 * 1024;
const CHECK_INTERVAL_MS = 10_000;

/** Log file of one process, across its restarts. */
export interface ProcessLog {
  readonly path: string;
  /** The process writes to it directly, so its output outlives the launcher. */
  readonly fileDescriptor: number;
  /** Writes a line of the launcher about this process. */
  note(text: string): void;
  /** Returns the last lines, to show why a process does not start. */
  tail(lineCount: number): string[];
  /** Moves the content to `<path>.previous` if there is too much of it. Runs periodically until `close`. */
  rotate(): void;
  close(): void;
}

/** Opens the log for appending. */
export function openProcessLog(path: string, { maxBytes = MAX_BYTES } = {}): ProcessLog {
  const previousPath = `${path}.previous`;
  const fileDescriptor = openSync(path, 'a', 0o600);

  function note(text: string): void {
    const line = { level: 'info', time: new Date().toISOString(), service: 'launcher', msg: text };
    writeSync(fileDescriptor, `${JSON.stringify(line)}\n`);
  }

  /**
   * The process keeps writing to this file, so the file is copied and emptied instead of renamed, like with logrotate's
   * `copytruncate`. Lines that the process writes between the two calls are lost.
   */
  function rotate(): void {
    try {
      if (fstatSync(fileDescriptor).size <= maxBytes) return;
      copyFileSync(path, previousPath);
      ftruncateSync(fileDescriptor);
    } catch {
      // The disk may be full, so that the reason cannot be logged either. The next check tries again.
    }
  }
  rotate();
  const checking = setInterval(rotate, CHECK_INTERVAL_MS).unref();

  return {
    path,
    fileDescriptor,
    note,
    rotate,
    tail: (lineCount) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lineCount),
    close() {
      clearInterval(checking);
      closeSync(fileDescriptor);
    },
  };
}
