import { decodeCursor, encodeCursor, invalidCursor } from './cursor.ts';
import { createPageBudget } from './page-budget.ts';

const DEFAULT_PAGE_SIZE = 25;

/** A page starts after the row with this id, toward older rows (`next`) or newer ones (`previous`). */
export interface Cursor {
  direction: 'next' | 'previous';
  id: string;
}

export interface PageRequest {
  limit: number;
  cursor: Cursor | null;
}

export interface Page<Row> {
  /** Newest first. */
  rows: Row[];
  /** The direction in which it was read: the rows at that end are the ones to leave out. */
  direction: Cursor['direction'];
  nextCursor: string | null;
  previousCursor: string | null;
}

/** The query that a store runs for a page. Ids sort by time of creation. */
export interface KeysetQuery {
  filter: { _id?: { $lt: string } | { $gt: string } };
  sort: { _id: 1 | -1 };
  limit: number;
}

/** Throws Problem `invalid-request` for a cursor that no page returned. */
export function parsePageRequest(request: { limit?: number; cursor?: string }): PageRequest {
  return {
    limit: request.limit ?? DEFAULT_PAGE_SIZE,
    cursor: request.cursor === undefined ? null : parseCursor(request.cursor),
  };
}

/**
 * Reads one page, newest rows first. One extra row shows whether there is another page in the same direction. In the
 * opposite direction, a page with a cursor always has another one, because it contains the cursor's row.
 */
export async function readPage<Row extends { _id: string }>(
  request: PageRequest,
  find: (query: KeysetQuery) => Promise<Row[]>,
): Promise<Page<Row>> {
  const { limit, cursor } = request;
  const backwards = cursor?.direction === 'previous';
  const found = await find({
    filter: cursor ? { _id: backwards ? { $gt: cursor.id } : { $lt: cursor.id } } : {},
    sort: { _id: backwards ? 1 : -1 },
    limit: limit + 1,
  });
  const rows = found.slice(0, limit);
  if (backwards) rows.reverse();
  const isMore = found.length > limit;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = backwards ? isMore : cursor !== null;
  const hasOlder = backwards ? true : isMore;
  return {
    rows,
    direction: backwards ? 'previous' : 'next',
    previousCursor: first && hasNewer ? formatCursor({ direction: 'previous', id: first._id }) : null,
    nextCursor: last && hasOlder ? formatCursor({ direction: 'next', id: last._id }) : null,
  };
}

/**
 * The page as a reply, with as many rows as fit into one. A cursor then continues after the last row that the reply
 * has.
 */
export function pageReply<Row, WireRow extends { id: string }>(
  page: Page<Row>,
  rowToWire: (row: Row) => WireRow,
): { data: WireRow[]; next_cursor: string | null; previous_cursor: string | null } {
  const { rows, direction, nextCursor, previousCursor } = page;
  const backwards = direction === 'previous';
  const budget = createPageBudget();
  const data: WireRow[] = [];
  for (const row of backwards ? rows.toReversed() : rows) {
    const wireRow = rowToWire(row);
    if (!budget.takes(wireRow)) break;
    data.push(wireRow);
  }
  const last = data.at(-1);
  const onward =
    last && data.length < rows.length
      ? formatCursor({ direction, id: last.id })
      : backwards
        ? previousCursor
        : nextCursor;
  return {
    data: backwards ? data.reverse() : data,
    next_cursor: backwards ? nextCursor : onward,
    previous_cursor: backwards ? onward : previousCursor,
  };
}

function formatCursor({ direction, id }: Cursor): string {
  return encodeCursor(`${direction}:${id}`);
}

function parseCursor(text: string): Cursor {
  const match = /^(next|previous):([a-z]{3}_[0-9a-z]{26})$/.exec(decodeCursor(text));
  if (match) return { direction: match[1] as Cursor['direction'], id: match[2] as string };
  throw invalidCursor();
}
