import { resolve } from 'node:path';

const DEFAULT_DATA_DIR = '.tollgate';

/** The data folder of the installation on this machine: that of `--data-dir`, or the one that `npm start` uses. */
export function installationFolder(dataDir: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(dataDir ?? (env['TOLLGATE_DATA_DIR'] || DEFAULT_DATA_DIR));
}
