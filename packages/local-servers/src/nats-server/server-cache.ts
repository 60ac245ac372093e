import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUsableServer } from './server-version.ts';
import type { SourceOptions } from './source.ts';

/** Platform and processor are in the path because a checkout can be shared between a machine and its containers. */
export function cachedServerPath(cacheDir: string): string {
  return join(cacheDir, 'nats-server', `${process.platform}-${process.arch}`, 'nats-server');
}

/** The one that an earlier run has fetched. */
export async function findCachedServer({ cacheDir }: SourceOptions): Promise<string | null> {
  const path = cachedServerPath(cacheDir);
  return (await isUsableServer(path)) ? path : null;
}

/**
 * Lets `unpack` make an executable in a scratch folder and moves it into the cache in one step, so that an interrupted or
 * concurrent fetch never leaves half a file there.
 * @param unpack returns the path of the executable it made, or null when it could not
 * @returns its path in the cache, or null
 */
export async function addToCache(
  cacheDir: string,
  unpack: (scratchDir: string) => Promise<string | null>,
): Promise<string | null> {
  const target = cachedServerPath(cacheDir);
  await mkdir(dirname(target), { recursive: true });
  const scratchDir = await mkdtemp(join(dirname(target), 'fetching-'));
  try {
    const executable = await unpack(scratchDir);
    if (executable === null) return null;
    await chmod(executable, 0o755);
    if (!(await isUsableServer(executable))) return null;
    await rename(executable, target);
    return target;
  } finally {
    await rm(scratchDir, { recursive: true, force: true });
  }
}
