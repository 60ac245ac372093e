import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/**
 * Locks the file at `path` until this process ends or releases it. Returns null while another process holds the lock.
 * The lock is an exclusive transaction on an empty SQLite file, because the operating system releases it when the process ends,
 * even after kill -9.
 */
export function tryLockFile(path: string): FileLock | null {
  const holder = new DatabaseSync(path, { timeout: 0 });
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    holder.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => holder.close() };
}

/** https://sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
