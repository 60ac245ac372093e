import { closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import { openForReading } from '../storage/data-file.ts';
import { completeCopy } from './complete-copy.ts';

/** The number of pages of 4 KiB that are copied at once. */
const PAGES_PER_STEP = 256;
const PAGE_BYTES = 4096;
/** The copy is flushed in small parts. Otherwise, a file system may delay the flushes of the server until the whole copy is flushed. */
const STEPS_PER_FLUSH = 8;

/** The data of all databases at one point in time. */
export interface DataSnapshot {
  /**
   * Copies the data to a new file, which has an identity of its own: the WAL of the original is not taken for that of the copy.
   * The file is flushed to disk. The limit leaves time at the disk for the server.
   */
  copyTo(path: string, options: CopyOptions): Promise<void>;
  /** While a snapshot is open, the WAL of the server cannot restart and grows with every write. */
  close(): void;
}

export interface CopyOptions {
  maxBytesPerSecond: number;
  signal: AbortSignal;
}

/**
 * Takes a snapshot of a data file, whether a server runs on it or not. The server continues to read and write.
 *
 * The snapshot is a read transaction on a second connection. A group of writes is one transaction, so the snapshot has all of a
 * group or nothing, and every write that the server acknowledged before this call.
 */
export function openDataSnapshot(path: string): DataSnapshot {
  if (!existsSync(path)) throw new Error(`The data file ${path} does not exist.`);
  const database = openForReading(path);
  try {
    // BEGIN alone takes no snapshot; the first read does.
    database.exec('BEGIN');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    async copyTo(target, options) {
      await copyPages(database, target, options);
      completeCopy(target);
    },
    close: () => database.close(),
  };
}

/** Without the open transaction, SQLite would start again at every write of the server. */
async function copyPages(
  database: DatabaseSync,
  target: string,
  { maxBytesPerSecond, signal }: CopyOptions,
): Promise<void> {
  if (!database.isTransaction) throw new Error('The snapshot is closed.');
  const startedAt = performance.now();
  const file = openSync(target, 'a');
  let steps = 0;
  try {
    await backup(database, target, {
      rate: PAGES_PER_STEP,
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted();
        steps += 1;
        if (steps % STEPS_PER_FLUSH === 0) fdatasyncSync(file);
        const dueMs = (((totalPages - remainingPages) * PAGE_BYTES) / maxBytesPerSecond) * 1000;
        pause(startedAt + dueMs - performance.now());
      },
    });
  } finally {
    closeSync(file);
  }
}

/** SQLite calls back between two steps and continues when the call returns, so only a blocking pause slows it down. */
function pause(ms: number): void {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
