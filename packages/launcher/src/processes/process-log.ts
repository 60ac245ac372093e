import { closeSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;

/** Log file of one process, across its restarts. */
export interface ProcessLog {
  readonly path: string;
  /** The process writes to it directly, so its output outlives the launcher. */
  readonly fileDescriptor: number;
  /** Writes a line of the launcher about this process. */
  note(text: string): void;
  /** Returns the last lines, to show why a process does not start. */
  tail(lineCount: number): string[];
  close(): void;
}

/** Opens the log for appending. A log that is too large is first moved to `<path>.previous`. */
export function openProcessLog(path: string): ProcessLog {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
    renameSync(path, `${path}.previous`);
  const fileDescriptor = openSync(path, 'a', 0o600);
  return {
    path,
    fileDescriptor,
    note(text) {
      const line = { level: 'info', time: new Date().toISOString(), service: 'launcher', msg: text };
      writeSync(fileDescriptor, `${JSON.stringify(line)}\n`);
    },
    tail: (lineCount) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(-lineCount),
    close: () => closeSync(fileDescriptor),
  };
}
