import { join } from 'node:path';
import { unpackDebianPackage } from '../debian-package.mjs';
import { addToCache } from './server-cache.ts';
import type { SourceOptions } from './source.ts';

/** Stores the executable of the distribution's package in the cache. */
export async function fetchDistributionPackage({ cacheDir, say }: SourceOptions): Promise<string | null> {
  return addToCache(cacheDir, async (scratchDir) => {
    const unpacked = await unpackDebianPackage('nats-server', scratchDir, say);
    return unpacked ? join(scratchDir, 'usr', 'sbin', 'nats-server') : null;
  });
}
