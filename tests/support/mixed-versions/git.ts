import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Hooks of the user must not run. */
const NO_HOOKS = ['-c', 'core.hooksPath=/dev/null'];

/** @returns the output of a git command in this folder */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', folder, ...NO_HOOKS, ...args], { env: withoutGitVariables() });
  return stdout.trim();
}

/** @returns whether the command succeeds */
export async function gitSucceeds(folder: string, ...args: string[]): Promise<boolean> {
  return git(folder, ...args).then(
    () => true,
    () => false,
  );
}

/** A Git hook that runs the tests sets variables that name its own repository and index. */
function withoutGitVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}
