import { readFileSync, writeFileSync } from 'node:fs';
import { type FileLock, tryLockFile } from '@tollgate/runtime/file-lock';
import { LauncherFailure } from './launcher-failure.ts';

/**
 * Prevents a second launcher from using the same data folder while this process lives.
 * @throws LauncherFailure with the process that holds the lock
 */
export function lockDataDir(path: string, dataDir: string): FileLock {
  const pidPath = `${path}.pid`;
  const lock = tryLockFile(path);
  if (lock === null) {
    throw new LauncherFailure(
      `Tollgate is already running on ${dataDir} (launcher process ${readPid(pidPath)}).\n` +
        '  Stop it first (press Ctrl+C in its terminal), or start another platform with its own folder and ports:\n' +
        '  TOLLGATE_DATA_DIR=.tollgate-2 LIVE_PORT=9080 SANDBOX_PORT=9081 ADMIN_PORT=9082 DASHBOARD_PORT=4000 npm start',
    );
  }
  writeFileSync(pidPath, String(process.pid), { mode: 0o600 });
  return lock;
}

function readPid(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return 'unknown';
  }
}
