import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDataDir, dataPaths } from './data-dir.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tollgate-data-dir-'));
});
afterEach(() => rm(parent, { recursive: true }));

const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;

test('the launcher creates a data folder that only its user can open', async () => {
  const folder = join(parent, 'data');
  await createDataDir(dataPaths(folder));
  expect(await modeOf(folder)).toBe(0o700);
});

test('the launcher closes an existing data folder to other users', async () => {
  const folder = join(parent, 'data');
  await mkdir(folder);
  await chmod(folder, 0o755);
  await createDataDir(dataPaths(folder));
  expect(await modeOf(folder)).toBe(0o700);
});
