import { access, chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../command.ts';
import { flushToDisk } from './flush-to-disk.ts';

/**
 * Fills a new folder, which appears under its name only when everything in it is on disk. Only its owner can read it. Resolves to what
 * `fill` returns.
 * @throws UsageError if the folder exists
 */
export async function writeNewFolder<Result>(
  path: string,
  fill: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  await requireNew(path);
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const unfinished = await mkdtemp(join(parent, `.${basename(path)}.unfinished-`));
  let result: Result;
  try {
    result = await fill(unfinished);
    await chmod(unfinished, 0o700);
    await flushToDisk(unfinished);
    await requireNew(path);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await flushToDisk(parent);
  return result;
}

async function requireNew(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new UsageError(`${path} exists. Pass the path of a new folder.`);
}
