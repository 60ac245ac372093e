import { resolve } from 'node:path';

/** The folder of the repository, in which everything that is made stays. */
export const CHECKOUT_DIR = resolve(import.meta.dirname, '../../..');

/** Where fetched executables are kept. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  return resolve(CHECKOUT_DIR, env['TOLLGATE_CACHE_DIR'] || '.cache');
}
