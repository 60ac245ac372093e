import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/**
 * Takes the lock that the file at `path` stands for, for as long as this process lives; null while another process has it.
 * An exclusive transaction on an empty SQLite file, because the operating system releases it whenever the process ends,
 * kill -9 included.
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
