import { realpath, rm } from 'node:fs/promises';
import { git, gitSucceeds } from './git.ts';

/**
 * Checks out a commit or tag of a clone as a worktree, and reuses the worktree of an earlier run. In a shallow clone without it,
 * checks out the newest commit.
 * @throws Error if the clone is not a Git repository
 */
export async function checkOutWorktree(clone: string, version: string, folder: string): Promise<void> {
  const commit = await findCommit(clone, version);
  if (await isCheckedOut(folder, commit)) return;
  await rm(folder, { recursive: true, force: true });
  // Forgets the worktree that was there.
  await git(clone, 'worktree', 'prune');
  await git(clone, 'worktree', 'add', '--detach', folder, commit);
}

async function findCommit(clone: string, version: string): Promise<string> {
  if (!(await gitSucceeds(clone, 'rev-parse', '--git-dir')))
    throw new Error(
      `The previous version, ${version}, cannot be checked out: ${clone} is not a Git repository.\n` +
        'Run the tests in a clone of the repository.',
    );
  return git(clone, 'rev-parse', `${version}^{commit}`).catch(() => git(clone, 'rev-parse', 'HEAD'));
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
