import { readFileSync } from 'node:fs';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * The number of transactions in a WAL file since its last restart, by SQLite's file format ("The WAL-File Format"): the
 * last frame of each transaction has the size of the database, the others 0.
 */
export function countCommits(dataFile: string): number {
  const wal = readFileSync(`${dataFile}-wal`);
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  const salt = wal.subarray(16, 24);
  let commits = 0;
  for (let at = WAL_HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    if (!wal.subarray(at + 8, at + 16).equals(salt)) break;
    if (wal.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}
