import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { APPLICATION_ID, examineDataFile, LAYOUT_VERSION } from './examine-file.ts';
import { userVersionWith } from './file-identity.ts';
import { type FileLock, lockDataFile } from './file-lock.ts';

const PAGE_CACHE_KIB = 32 * 1024;
/** Long reads visit most pages once. The system's cache holds the others. */
const READER_PAGE_CACHE_KIB = 4 * 1024;
/** The number of 4 KiB pages in the WAL after which a commit moves them to the main file. */
const CHECKPOINT_PAGES = 4000;
/** When the WAL restarts, it is truncated to this size. It can grow beyond it during a long read. */
const MAX_RESTING_WAL_BYTES = 64 * 1024 * 1024;

/** Another program may briefly lock the file to read it. */
const BUSY_TIMEOUT_MS = 2000;

export interface DataFile {
  database: DatabaseSync;
  /** Moves all committed pages to the main file and empties the WAL. False when it could not, because a read holds a snapshot. */
  emptyLog(): boolean;
  close(): void;
}

export interface DataFileOptions {
  path: string;
  /** False leaves flushing to the operating system. For tests only: a power failure can lose writes. */
  fsync: boolean;
}

/** Opens or creates the SQLite file. Throws with the reason if it is in use, corrupted, or another program's. */
export function openDataFile({ path, fsync }: DataFileOptions): DataFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = lockDataFile(path);
  try {
    examineDataFile(path);
    if (!existsSync(path)) createFile(path, fsync);
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      prepareFile(database, fsync);
    } catch (error) {
      database.close();
      throw error;
    }
    return { database, emptyLog: () => emptyLog(database), close: () => closeFile(database, lock) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Creates the file, which only its owner can read, under a temporary name, so that a process that ends early does not leave an empty
 * data file.
 */
function createFile(path: string, fsync: boolean): void {
  const unfinished = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true });
  // SQLite keeps the mode of a file that exists, and gives it to the WAL.
  writeFileSync(unfinished, '', { mode: 0o600, flag: 'wx' });
  const database = new DatabaseSync(unfinished);
  try {
    prepareFile(database, fsync);
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
}

/** Opens another connection to a file that this process has locked, for a thread that only reads. */
export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  database.exec(`PRAGMA cache_size = -${READER_PAGE_CACHE_KIB}; PRAGMA temp_store = MEMORY`);
  return database;
}

function prepareFile(database: DatabaseSync, fsync: boolean): void {
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const userVersion = userVersionWith(LAYOUT_VERSION, found);
  // FULL flushes the WAL at every commit, so that an acknowledged write survives a power failure, not only kill -9.
  // Deleted content is overwritten, so that erased data is not in the file any more.
  // fullfsync matters only on macOS, where a plain fsync leaves the bytes in the drive's cache.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA secure_delete = ON;
    PRAGMA synchronous = ${fsync ? 'FULL' : 'OFF'};
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA cache_size = -${PAGE_CACHE_KIB};
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA journal_size_limit = ${MAX_RESTING_WAL_BYTES};
    PRAGMA temp_store = MEMORY;
    PRAGMA foreign_keys = OFF;
    BEGIN IMMEDIATE;
    CREATE TABLE IF NOT EXISTS collections (
      id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL,
      uuid BLOB NOT NULL, options BLOB NOT NULL, UNIQUE (db, name)
    );
    CREATE TABLE IF NOT EXISTS indexes (
      id INTEGER PRIMARY KEY AUTOINCREMENT, collection_id INTEGER NOT NULL, name TEXT NOT NULL,
      definition BLOB NOT NULL, multikey_fields TEXT NOT NULL, UNIQUE (collection_id, name)
    );
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${userVersion};
    COMMIT;
  `);
  // Moves user_version from the WAL to the file, where examineDataFile reads it.
  if (userVersion !== found) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function emptyLog(database: DatabaseSync): boolean {
  // The next attempt is soon. Waiting for a long read would block all requests.
  database.exec('PRAGMA busy_timeout = 0');
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

function closeFile(database: DatabaseSync, lock: FileLock): void {
  database.close();
  lock.release();
}
