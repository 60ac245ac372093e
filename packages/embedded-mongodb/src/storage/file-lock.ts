import { DatabaseSync } from 'node:sqlite';

/** The lock of one process on a data file. `release` is idempotent. */
export interface FileLock {
  release(): void;
}

/**
 * Locks the data file for this process, or throws with the reason.
 *
 * The lock is an exclusive transaction on a second, empty SQLite file. The operating system releases it whenever the
 * process ends, even after kill -9. The data file itself stays unlocked, so that worker threads of this process can
 * read WAL snapshots of it.
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
        'Stop that process, or use another file.',
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
