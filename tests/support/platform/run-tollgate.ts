import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const TOLLGATE = fileURLToPath(new URL('../../../packages/cli/bin/tollgate.mjs', import.meta.url));

/** Variables without which a process would compile its modules again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs a command of `tollgate` as a process of its own, with no environment but this and the compile cache. */
export function runTollgate(args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [TOLLGATE, ...args],
      { env: { ...COMPILE_CACHE, ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}
