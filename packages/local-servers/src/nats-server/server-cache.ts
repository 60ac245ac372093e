import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatVersion, isUsableServer, RELEASE, readServerVersion } from './server-version.ts';
import type { SourceOptions } from './source.ts';

/** The path contains platform and processor, because a machine and its containers can share a checkout. */
export function cachedServerPath(cacheDir: string): string {
  return join(cacheDir, 'nats-server', `${process.platform}-${process.arch}`, 'nats-server');
}

/** Returns the server that an earlier run downloaded. */
export async function findCachedServer({ cacheDir }: SourceOptions): Promise<string | null> {
  const path = cachedServerPath(cacheDir);
  return (await isUsableServer(path)) ? path : null;
}

/** Returns the cached server if it is the release that Tollgate downloads. */
export async function findCachedRelease({ cacheDir }: SourceOptions): Promise<string | null> {
  const path = cachedServerPath(cacheDir);
  const version = await readServerVersion(path);
  return version !== null && formatVersion(version) === formatVersion(RELEASE) ? path : null;
}

/**
 * Lets `unpack` write an executable to a scratch folder and moves it into the cache atomically, so that an interrupted
 * or concurrent download never leaves a partial file there.
 * @param unpack returns the path of the executable, or null if it failed
 * @returns path in the cache, or null
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
