import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/tollgate.mjs', import.meta.url));

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Runs the command as a process of its own, while the test serves what it connects to. */
export function runTollgate(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [BIN, ...args],
      { env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ exitCode: exitCodeOf(error), stdout, stderr }),
    );
  });
}

function exitCodeOf(error: (Error & { code?: unknown }) | null): number {
  if (error === null) return 0;
  if (typeof error.code === 'number') return error.code;
  throw error;
}
