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
      `Tollgate already runs on ${dataDir} (launcher process ${readPid(pidPath)}).\n` +
        '  Stop that one first (Ctrl-C where it runs), or start another platform beside it with a folder and ports of its own:\n' +
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
