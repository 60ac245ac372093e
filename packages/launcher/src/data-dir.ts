import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LauncherFailure } from './launcher-failure.ts';

/** Paths of everything that a platform on one machine stores. */
export function dataPaths(dataDir: string) {
  return {
    dataDir,
    secrets: join(dataDir, 'secrets.json'),
    quickstart: join(dataDir, 'quickstart.json'),
    /** Resources created by the first run, recorded step by step. */
    firstRun: join(dataDir, 'first-run.json'),
    lock: join(dataDir, 'launcher.lock'),
    /** Running processes, for the next launcher if this one is killed. */
    processes: join(dataDir, 'processes.json'),
    mongodbDir: join(dataDir, 'mongodb'),
    natsDir: join(dataDir, 'nats'),
    usageSpoolDir: join(dataDir, 'gateway-usage'),
    logsDir: join(dataDir, 'logs'),
    dashboardBuildLog: join(dataDir, 'logs', 'dashboard-build.log'),
    docsBuildLog: join(dataDir, 'logs', 'docs-build.log'),
  };
}
export type DataPaths = ReturnType<typeof dataPaths>;

/** Mode 700, also for a folder that existed: it contains payments and secrets. */
export async function createDataDir(paths: DataPaths): Promise<void> {
  try {
    await mkdir(paths.dataDir, { recursive: true, mode: 0o700 });
    await chmod(paths.dataDir, 0o700);
    await mkdir(paths.logsDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new LauncherFailure(
      `The data folder ${paths.dataDir} cannot be created (${(cause as NodeJS.ErrnoException).code}).\n` +
        '  Make it writable, or choose another one: TOLLGATE_DATA_DIR=<folder> npm start',
      { cause },
    );
  }
}
