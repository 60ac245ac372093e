import { DatabaseSync } from 'node:sqlite';

/** Holds a data file for one process. `release` is idempotent. */
export interface FileLock {
  release(): void;
}

/**
 * Takes the data file for this process, or throws with the reason.
 *
 * The lock is an exclusive transaction on a second, empty SQLite file, because the operating system drops it
 * whenever the process ends, kill -9 included. The data file itself stays unlocked, so that worker threads of
 * this process may read WAL snapshots of it.
 */
export function lockDataFile(path: string): FileLock {
  const lockPath = `${path}.lock`;
  const holder = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    holder.close();
    if (!(cause instanceof Error && /locked/.test(cause.message))) throw cause;
    throw new Error(
      `The data file ${path} is in use by another embedded-mongodb (lock ${lockPath}). ` +
        'Stop that process, or give this one a file of its own.',
      { cause },
    );
  }
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      holder.close();
    },
  };
}
