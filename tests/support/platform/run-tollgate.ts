import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tollgate/test-kit/eventually';

export const TOLLGATE = fileURLToPath(new URL('../../../packages/cli/bin/tollgate.mjs', import.meta.url));

/** Variables without which a process would compile its modules again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs a command of `tollgate` as a process of its own, with no environment but this and the compile cache. */
export function runTollgate(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [TOLLGATE, ...args],
      { env: { ...COMPILE_CACHE, ...env } },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** Runs `tollgate login`. `decide` confirms or rejects its code, as a member does in the dashboard. */
export async function runLogin(
  dashboardUrl: string,
  env: NodeJS.ProcessEnv,
  decide: (userCode: string) => Promise<unknown>,
): Promise<Ended> {
  const running = spawn(process.execPath, [TOLLGATE, 'login', dashboardUrl], {
    env: { ...COMPILE_CACHE, ...env },
  });
  let out = '';
  let err = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const exited = once(running, 'exit');
  await eventually('it prints a code', () => /user_code=[A-Z-]+/.test(err), { timeoutMs: 30_000 });
  await decide(/user_code=([A-Z-]+)/.exec(err)?.[1] as string);
  const [code] = await exited;
  return { code, out, err };
}
