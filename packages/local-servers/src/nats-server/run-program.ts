import { execFile } from 'node:child_process';

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Runs a program to its end. Never throws: a program that is missing or hangs has exit code -1.
 * @returns its exit code, and the last line of what it complained about
 */
export function runProgram(
  command: string,
  args: string[],
  options: { cwd?: string; timeoutMs?: number } = {},
): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd: options.cwd, timeout: options.timeoutMs ?? 0, maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        const lines = (stderr.trim() || stdout.trim() || error?.message || '').split('\n');
        resolve({ exitCode, output: lines.at(-1) ?? '' });
      },
    );
  });
}
