import { closeSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;

/** The log file of one process, over all its restarts. */
export interface ProcessLog {
  readonly path: string;
  /** For the process to write to directly: what it says survives the launcher. */
  readonly fileDescriptor: number;
  /** A line of the launcher's own about this process. */
  note(text: string): void;
  /** The last lines, for showing why a process does not start. */
  tail(lineCount: number): string[];
  close(): void;
}

/** Opens it for appending; one that has grown too large is moved to `<path>.previous` first. */
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
