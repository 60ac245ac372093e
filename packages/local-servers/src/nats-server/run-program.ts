import { execFile } from 'node:child_process';

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Runs a program until it ends. Never throws: the exit code of a missing or hanging program is -1.
 * @returns exit code, and the last line of its error output
 */
export function runProgram(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      {
        env: options.env,
        timeout: options.timeoutMs ?? 0,
        // At this signal, Go waits for the compilers that it started.
        killSignal: 'SIGINT',
        maxBuffer: MAX_OUTPUT_BYTES,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        const lines = (stderr.trim() || stdout.trim() || error?.message || '').split('\n');
        resolve({ exitCode, output: lines.at(-1) ?? '' });
      },
    );
  });
}
