import { MAX_REPLY_BYTES } from '@tollgate/contracts/platform/rpc-contract';

/** Size of a page's rows as JSON. The rest of the reply is for cursors and the envelope. */
export const MAX_ROWS_BYTES = MAX_REPLY_BYTES - 8 * 1024;

/** Cuts a page by its size: rows that are within the limit in number can exceed the limit of a reply in bytes. */
export function createPageBudget(maxBytes = MAX_ROWS_BYTES) {
  let rows = 0;
  let bytes = 0;
  return {
    /** Whether one more row fits into the reply. The first row always fits, so that a reader never stops at a large one. */
    takes(row: unknown): boolean {
      bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
      rows += 1;
      return rows === 1 || bytes <= maxBytes;
    },
  };
}

/** The first rows that fit into one reply beside the rest of it. */
export function rowsBeside<Row>(rest: unknown, rows: readonly Row[]): Row[] {
  const budget = createPageBudget(MAX_ROWS_BYTES - Buffer.byteLength(JSON.stringify(rest)));
  const end = rows.findIndex((row) => !budget.takes(row));
  return end === -1 ? [...rows] : rows.slice(0, end);
}
