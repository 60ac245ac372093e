import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from './git.ts';
import { checkOutWorktree } from './worktree.ts';

let folder: string;
let origin: string;
let worktree: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-worktree-'));
  origin = join(folder, 'origin');
  await mkdir(origin);
  await git(origin, 'init', '--quiet', '--initial-branch=main');
  worktree = join(folder, 'worktree');
  await commit('previous');
  await commit('current');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function commit(text: string): Promise<void> {
  await writeFile(join(origin, 'file.txt'), text);
  await git(origin, 'add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  await git(origin, ...author, 'commit', '--quiet', '--message', text);
}

const content = () => readFile(join(worktree, 'file.txt'), 'utf8');
const checkOut = () => checkOutWorktree(origin, 'v1.0.0', worktree);

it('the worktree of a version contains the files of the version, and is reused', async () => {
  await git(origin, 'tag', 'v1.0.0', 'HEAD^');
  await checkOut();
  const { birthtimeMs } = await stat(worktree);
  await checkOut();
  expect(await content()).toBe('previous');
  expect((await stat(worktree)).birthtimeMs).toBe(birthtimeMs);
});

it('the worktree of a version contains the files of the newest commit in a clone without the version', async () => {
  await checkOut();
  expect(await content()).toBe('current');
  await git(origin, 'tag', 'v1.0.0', 'HEAD^');
  await checkOut();
  expect(await content()).toBe('previous');
});

it('the worktree of a version is repaired after an interrupted run, and after a change of its files', async () => {
  await checkOut();
  await writeFile(join(worktree, 'file.txt'), 'edited');
  await checkOut();
  expect(await content()).toBe('current');
  await rm(join(worktree, '.git'));
  await checkOut();
  expect(await content()).toBe('current');
  await rm(worktree, { recursive: true });
  await checkOut();
  expect(await content()).toBe('current');
});

it('the worktree of a version fails outside a Git repository', async () => {
  const plain = join(folder, 'plain');
  await mkdir(plain);
  await expect(checkOutWorktree(plain, 'v1.0.0', worktree)).rejects.toThrow('Run the tests in a clone');
});
