import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/*
 * SQLite reserves 32 bits of a file's first page for the application, `user_version`. The lowest 8 bits are the layout,
 * the others a random number that identifies the data file. The first page is in the WAL as soon as a server starts on
 * the file or the file grows, so that a WAL of another file is recognized.
 */

const LAYOUT_BITS = 8;
const MAX_FILE_NUMBER = 2 ** 23;
/** The offset of `user_version` in SQLite's file format. */
const USER_VERSION_OFFSET = 60;

export function layoutOf(userVersion: number): number {
  return userVersion & (2 ** LAYOUT_BITS - 1);
}

export function fileNumberOf(userVersion: number): number {
  return userVersion >>> LAYOUT_BITS;
}

/** Whether the file has a number. A copy has none until a server opens it. */
export function hasFileNumber(userVersion: number): boolean {
  return fileNumberOf(userVersion) !== 0;
}

/** The `user_version` of the same file with another layout, or of a new file. */
export function userVersionWith(layout: number, before: number): number {
  const fileNumber = hasFileNumber(before) ? fileNumberOf(before) : randomInt(1, MAX_FILE_NUMBER);
  return (fileNumber << LAYOUT_BITS) | layout;
}

/** `user_version` in the file itself, without its WAL. */
export function userVersionInFile(path: string): number {
  const bytes = Buffer.alloc(4);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, USER_VERSION_OFFSET);
  } finally {
    closeSync(file);
  }
  return bytes.readInt32BE(0);
}
