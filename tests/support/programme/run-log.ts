import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { InjectedFault, PerformedOperation } from './history.ts';

const FOLDER = fileURLToPath(new URL('../../.artifacts/programmes', import.meta.url));

/** The log of a run as JSON lines. An operation that is repeated has a line for each time. */
export interface RunLog {
  path: string;
  /** The folder for the logs of the processes. */
  processesPath: string;
  write(line: PerformedOperation | InjectedFault): void;
}

export function startRunLog(name: string): RunLog {
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}/${name}.jsonl`;
  rmSync(path, { force: true });
  const processesPath = `${FOLDER}/${name}`;
  rmSync(processesPath, { recursive: true, force: true });
  return { path, processesPath, write: (line) => appendFileSync(path, `${JSON.stringify(line)}\n`) };
}
