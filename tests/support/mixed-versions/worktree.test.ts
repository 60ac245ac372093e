import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from './git.ts';
import { checkOutWorktree } from './worktree.ts';

let folder: string;
let origin: string;
let previous: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-worktree-'));
  origin = join(folder, 'origin');
  await mkdir(origin);
  await git(origin, 'init', '--quiet', '--initial-branch=main');
  previous = await commit('previous');
  await commit('current');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commit(text: string): Promise<string> {
  await writeFile(join(origin, 'file.txt'), text);
  await git(origin, 'add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  await git(origin, ...author, 'commit', '--quiet', '--message', text);
  return git(origin, 'rev-parse', 'HEAD');
}

/** A clone that has the newest commit only. */
async function shallowClone(): Promise<string> {
  const clone = join(folder, 'clone');
  await git(folder, 'clone', '--quiet', '--depth=1', `file://${origin}`, clone);
  return clone;
}

const contentOf = (worktree: string) => readFile(join(worktree, 'file.txt'), 'utf8');

it('contains the files of the version and is reused', async () => {
  const worktree = await checkOutWorktree(origin, previous, join(folder, 'worktrees'));
  expect(await contentOf(worktree)).toBe('previous');
  expect(await checkOutWorktree(origin, previous, join(folder, 'worktrees'))).toBe(worktree);
});

it('is repaired after an interrupted run, and after a change of its files', async () => {
  const parent = join(folder, 'worktrees');
  const worktree = await checkOutWorktree(origin, previous, parent);
  await writeFile(join(worktree, 'file.txt'), 'edited');
  await checkOutWorktree(origin, previous, parent);
  expect(await contentOf(worktree)).toBe('previous');
  await rm(join(worktree, '.git'));
  await checkOutWorktree(origin, previous, parent);
  expect(await contentOf(worktree)).toBe('previous');
  await rm(worktree, { recursive: true });
  await checkOutWorktree(origin, previous, parent);
  expect(await contentOf(worktree)).toBe('previous');
});

it('is fetched if the clone is shallow, by commit and by tag', async () => {
  await git(origin, 'tag', 'v1', previous);
  const clone = await shallowClone();
  const byTag = await checkOutWorktree(clone, 'v1', join(folder, 'by-tag'));
  expect(await contentOf(byTag)).toBe('previous');
  await rm(clone, { recursive: true });
  const byCommit = await checkOutWorktree(await shallowClone(), previous, join(folder, 'by-commit'));
  expect(await contentOf(byCommit)).toBe('previous');
});

it('fails with the command to run if the version cannot be fetched', async () => {
  const clone = await shallowClone();
  await rm(origin, { recursive: true });
  await expect(checkOutWorktree(clone, previous, join(folder, 'worktrees'))).rejects.toThrow(
    'git fetch --unshallow --tags origin',
  );
});

it('fails outside a Git repository', async () => {
  const plain = join(folder, 'plain');
  await mkdir(plain);
  await expect(checkOutWorktree(plain, previous, join(folder, 'worktrees'))).rejects.toThrow(
    'Run the tests in a clone',
  );
});
