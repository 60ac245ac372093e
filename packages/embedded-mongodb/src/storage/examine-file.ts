import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileNumberOf, hasFileNumber, layoutOf, userVersionInFile } from './file-identity.ts';

/** Files of another layout are rejected. */
export const LAYOUT_VERSION = 2;
/** "TGEM": distinguishes data files from other SQLite files. */
export const APPLICATION_ID = 0x5447454d;

/** The first bytes of a WAL in SQLite's file format. The last bit is the byte order of its checksums. */
const WAL_MAGIC = 0x377f0682;

/**
 * Rejects a data file that is corrupted or belongs to another program, before the server changes it. A WAL next to the
 * file is checked as part of it: SQLite would write the WAL of another file to this file.
 *
 * Reads the whole file, at about 1 GB in 1.5 seconds. SQLite's quick check does not suffice: only the full check verifies
 * the order of the keys of an index and thereby detects most corrupted keys.
 */
export function examineDataFile(path: string): void {
  const walBytes = sizeOf(`${path}-wal`);
  if (sizeOf(path) === 0) {
    // SQLite would create a new file and delete the content of the WAL.
    if (walBytes > 0) throw damaged(path, `it is empty or gone, but ${path}-wal holds data`);
    if (existsSync(path)) throw emptyFile(path);
    return;
  }
  assertWal(`${path}-wal`, walBytes, path);
  // Read-only, because closing a writable connection moves the WAL to the file, even if the check fails.
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const found = readWith(path, () => database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
    if (found !== 'ok') throw damaged(path, String(found));
    assertOurs(database, path);
  } finally {
    database.close();
  }
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** SQLite ignores a WAL with an invalid header, and with it all acknowledged writes in the WAL. */
function assertWal(walPath: string, size: number, path: string): void {
  const start = Buffer.alloc(4);
  if (size < start.length) return;
  const file = openSync(walPath, 'r');
  readSync(file, start, 0, start.length, 0);
  closeSync(file);
  const magic = start.readUInt32BE(0);
  // Zeros mean that the power failed before the first flush, and so before the server acknowledged a write.
  if (magic !== 0 && (magic & ~1) !== WAL_MAGIC) throw damaged(path, `${walPath} is not a write-ahead log`);
}

function assertOurs(database: DatabaseSync, path: string): void {
  const [applicationId, version] = readWith(path, () => [
    readNumber(database, 'PRAGMA application_id'),
    readNumber(database, 'PRAGMA user_version'),
  ]);
  if (applicationId !== APPLICATION_ID) {
    throw new Error(`The file ${path} is an SQLite file of another program. Choose another file.`);
  }
  const layout = layoutOf(version);
  if (layout !== LAYOUT_VERSION) {
    throw new Error(
      `The data file ${path} has layout ${layout}; this version reads layout ${LAYOUT_VERSION}. Use the version that wrote it.`,
    );
  }
  const versionInFile = userVersionInFile(path);
  if (hasFileNumber(versionInFile) && fileNumberOf(versionInFile) !== fileNumberOf(version)) {
    throw damaged(path, `${path}-wal belongs to another file`);
  }
}

function readWith<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw damaged(path, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? { value: 0 })[0]);
}

function emptyFile(path: string): Error {
  return new Error(
    `The data file ${path} is empty. The server never leaves an empty file, so its data was lost or another program created it. Restore it from a copy, or delete it to start without data.`,
  );
}

function damaged(path: string, what: string, cause?: unknown): Error {
  return new Error(
    `The data file ${path} cannot be read: it is corrupted or not a database (${what}). It was left as it is; restore it from a copy or choose another file.`,
    { cause },
  );
}
