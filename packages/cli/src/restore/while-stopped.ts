import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createDataDir, type DataPaths } from '@tollgate/launcher/data-dir';
import { LauncherFailure } from '@tollgate/launcher/launcher-failure';
import { readRecordedProcesses } from '@tollgate/launcher/processes/process-record';
import { stillRunning } from '@tollgate/launcher/processes/stale-processes';
import { DATA_FILE } from '../backup/manifest.ts';
import { UsageError } from '../command.ts';
import { loadEmbeddedServer, loadLauncherLock } from '../load-platform.ts';

/**
 * Runs while nothing of an installation runs, and nothing can start. The lock of the launcher is not enough: processes continue when
 * their launcher is killed. @throws UsageError
 */
export async function whileStopped<T>(paths: DataPaths, run: () => Promise<T>): Promise<T> {
  try {
    await createDataDir(paths);
    const { lockDataDir } = await loadLauncherLock();
    const launcherLock = lockDataDir(paths.lock, paths.dataDir);
    try {
      await requireNoProcesses(paths);
      const dataLock = await lockData(paths);
      try {
        return await run();
      } finally {
        dataLock?.release();
      }
    } finally {
      launcherLock.release();
    }
  } catch (error) {
    if (!(error instanceof LauncherFailure)) throw error;
    throw new UsageError(error.message);
  }
}

/** @throws UsageError with the processes that a killed launcher left running */
async function requireNoProcesses({ processes, dataDir }: DataPaths): Promise<void> {
  const running = await stillRunning(await readRecordedProcesses(processes, dataDir));
  if (running.length === 0) return;
  throw new UsageError(
    `Processes of Tollgate still run on ${dataDir}, although their launcher was killed: ${running.map(({ name, pid }) => `${name} (pid ${pid})`).join(', ')}. ` +
      'Stop them: run npm start once more, which stops them first, and press Ctrl+C when it has started. Or end them with kill. ' +
      'Nothing was changed.',
  );
}

/** Null for an installation without data, on which no server can run. */
async function lockData({ mongodbDir }: DataPaths) {
  if (!existsSync(mongodbDir)) return null;
  const { lockDataFile } = await loadEmbeddedServer();
  try {
    return lockDataFile(join(mongodbDir, DATA_FILE));
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message} It may be another command of tollgate, or a server in another container. Nothing was changed.`,
    );
  }
}
