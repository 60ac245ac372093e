import { execFileSync } from 'node:child_process';

export type Git = (...args: string[]) => string;

/** Runs Git in a folder. Returns the trimmed output, and throws with Git's message. */
export function gitIn(folder: string): Git {
  return (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}
