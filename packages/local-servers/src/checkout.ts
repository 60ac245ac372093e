import { resolve } from 'node:path';

/** Folder of the repository. All generated files stay in it. */
export const CHECKOUT_DIR = resolve(import.meta.dirname, '../../..');

/** Folder of downloaded executables. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  return resolve(CHECKOUT_DIR, env['TOLLGATE_CACHE_DIR'] || '.cache');
}
