import type { StatementSync } from 'node:sqlite';

/** Index keys from `lower` up to but not including `upper`, compared as bytes. */
export interface KeyRange {
  lower: Uint8Array;
  upper: Uint8Array;
  /** Whether the range holds only the key `lower`. */
  isKey?: boolean;
}

/**
 * A number of rows, as SQL. SQLite prepares a statement anew each time a value is bound to a plain `LIMIT ?`, in order
 * to plan for that value, but not if the limit is an expression.
 */
export const LIMIT_SQL = 'LIMIT ? + 0';

const FIRST_CHUNK_ROWS = 16;
const MAX_CHUNK_ROWS = 512;
/** Rows are read ahead only as far as they take up about this much memory. */
const CHUNK_BYTES = 2 * 1024 * 1024;

/**
 * Rows as the scan statements return them: rid, document and its checksum, and for index scans the key. The key is in
 * hexadecimal: a string takes a fraction of the time of a byte array, and only the last key of a chunk is used.
 */
export type ScanRow = [rid: number, bytes: Uint8Array, checksum: number, key?: string];

/**
 * Yields at most `maxRows` rows in order, a chunk at a time. Every chunk is a statement of its own that starts after
 * the last row seen: no statement stays open between chunks, so that writes and commits may happen while a cursor rests.
 */
export function* inChunks(
  readAfter: (last: ScanRow | undefined, limit: number) => ScanRow[],
  maxRows: number,
): Generator<ScanRow, void, undefined> {
  let limit = FIRST_CHUNK_ROWS;
  let last: ScanRow | undefined;
  for (let left = maxRows; left > 0; ) {
    const rows = readAfter(last, Math.min(limit, left));
    yield* rows;
    if (rows.length < limit) return;
    last = rows[rows.length - 1] as ScanRow;
    left -= rows.length;
    limit = nextLimit(limit, rows);
  }
}

function nextLimit(limit: number, rows: ScanRow[]): number {
  const bytes = rows.reduce((sum, row) => sum + (row[1]?.length ?? 0), 0);
  const affordable = Math.floor(CHUNK_BYTES / Math.max(1, bytes / rows.length));
  return Math.max(1, Math.min(limit * 4, MAX_CHUNK_ROWS, affordable));
}

/** All rows of a prepared statement in array form. */
export function readRows(statement: StatementSync, ...parameters: (number | Uint8Array)[]): ScanRow[] {
  return statement.all(...parameters) as unknown as ScanRow[];
}
