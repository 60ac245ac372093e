import { randomInt } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/*
 * SQLite leaves 32 bits of a file's first page to us, `user_version`: the lowest 8 are the layout, the others a random
 * number that tells one data file from another. The first page is in the WAL as soon as a server has started on it
 * or the file has grown, so a WAL that was left beside a file it does not belong to is recognised.
 */

const LAYOUT_BITS = 8;
const MAX_FILE_NUMBER = 2 ** 23;
/** Where `user_version` is, by SQLite's file format. */
const USER_VERSION_OFFSET = 60;

export function layoutOf(userVersion: number): number {
  return userVersion & (2 ** LAYOUT_BITS - 1);
}

export function fileNumberOf(userVersion: number): number {
  return userVersion >>> LAYOUT_BITS;
}

/** Whether the file has a number yet; those of the first servers have none. */
export function hasFileNumber(userVersion: number): boolean {
  return fileNumberOf(userVersion) !== 0;
}

/** The same file with a layout of its own, or a new file. */
export function userVersionWith(layout: number, before: number): number {
  const fileNumber = hasFileNumber(before) ? fileNumberOf(before) : randomInt(1, MAX_FILE_NUMBER);
  return (fileNumber << LAYOUT_BITS) | layout;
}

/** `user_version` as it is in the file itself, whatever its WAL says. */
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
