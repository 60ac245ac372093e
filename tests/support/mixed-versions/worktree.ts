import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitSucceeds } from './git.ts';

/**
 * Checks out a version of a clone as a worktree in `parent`, and reuses the worktree of an earlier run.
 * @param version a commit or a tag
 * @returns the folder of the worktree
 * @throws Error that says what to do if the clone does not contain the version
 */
export async function checkOutWorktree(clone: string, version: string, parent: string): Promise<string> {
  const commit = await findCommit(clone, version);
  const folder = join(parent, commit);
  if (await isCheckedOut(folder, commit)) return folder;
  await rm(folder, { recursive: true, force: true });
  // Forgets the worktree that was there.
  await git(clone, 'worktree', 'prune');
  await git(clone, 'worktree', 'add', '--detach', folder, commit);
  return folder;
}

/** Fetches the version if the clone is shallow. */
async function findCommit(clone: string, version: string): Promise<string> {
  if (!(await gitSucceeds(clone, 'rev-parse', '--git-dir')))
    throw new Error(
      `The previous version, ${version}, cannot be checked out: ${clone} is not a Git repository.\n` +
        'Run the tests in a clone of the repository.',
    );
  const wanted = `${version}^{commit}`;
  if (await gitSucceeds(clone, 'cat-file', '-e', wanted)) return git(clone, 'rev-parse', wanted);
  await git(clone, 'fetch', '--no-tags', '--depth=1', 'origin', version).catch((cause) => {
    throw new Error(
      `This clone does not contain the previous version, ${version}, and could not fetch it from origin.\n` +
        'Fetch the whole history, then run the tests again: git fetch --unshallow --tags origin\n' +
        'In CI, check out with `fetch-depth: 0`.',
      { cause },
    );
  });
  return git(clone, 'rev-parse', 'FETCH_HEAD^{commit}');
}

/** False for a worktree that an interrupted run left incomplete, and after a file of it was edited. */
async function isCheckedOut(folder: string, commit: string): Promise<boolean> {
  // In a folder that is no worktree, git would find the repository around it.
  const root = await git(folder, 'rev-parse', '--show-toplevel').catch(() => '');
  if (root === '' || (await realpath(root)) !== (await realpath(folder))) return false;
  const [head, changes] = await Promise.all([
    git(folder, 'rev-parse', 'HEAD'),
    git(folder, 'status', '--porcelain'),
  ]);
  return head === commit && changes === '';
}
