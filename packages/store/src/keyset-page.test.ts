import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_REPLY_BYTES } from '@tollgate/contracts/platform/rpc-contract';
import { expect, it } from 'vitest';
import { type KeysetQuery, pageReply, parsePageRequest, readPage } from './keyset-page.ts';
import { MAX_ROWS_BYTES, rowsBeside } from './page-budget.ts';

interface Row {
  id: string;
  text: string;
}

/** Newest first. Each is a third of a reply as JSON. */
const rows: Row[] = Array.from({ length: 8 }, () => ({
  id: newId('application'),
  text: '\u0001'.repeat(MAX_REPLY_BYTES / 18),
})).reverse();

async function read(request: { limit?: number; cursor?: string }) {
  const find = async ({ filter: { _id: range }, sort, limit }: KeysetQuery) =>
    (sort._id === 1 ? rows.toReversed() : rows)
      .filter(({ id }) => !range || ('$lt' in range ? id < range.$lt : id > range.$gt))
      .slice(0, limit)
      .map((row) => ({ ...row, _id: row.id }));
  const reply = pageReply(await readPage(parsePageRequest(request), find), ({ id, text }) => ({ id, text }));
  expect(Buffer.byteLength(JSON.stringify({ ok: reply }))).toBeLessThanOrEqual(MAX_REPLY_BYTES);
  return reply;
}

it('a page that exceeds a reply is cut, and its cursors reach every row once, in both directions', async () => {
  const pages = [await read({ limit: 100 })];
  for (let cursor = pages[0]?.next_cursor; cursor; cursor = pages.at(-1)?.next_cursor)
    pages.push(await read({ limit: 100, cursor }));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(({ data }) => data)).toEqual(rows);

  const back = [];
  for (let cursor = pages.at(-1)?.previous_cursor; cursor; cursor = back[0]?.previous_cursor)
    back.unshift(await read({ limit: 100, cursor }));
  expect([...back.flatMap(({ data }) => data), ...(pages.at(-1)?.data ?? [])]).toEqual(rows);
});

it('a page within a reply keeps its cursors', async () => {
  const page = await read({ limit: 1 });
  expect(page.data).toEqual(rows.slice(0, 1));
  expect(page.previous_cursor).toBeNull();
  expect((await read({ limit: 1, cursor: page.next_cursor ?? '' })).data).toEqual(rows.slice(1, 2));
});

it('rows beside the rest of a reply have the room that the rest leaves', () => {
  const half = 'x'.repeat(MAX_ROWS_BYTES / 2 - 100);
  expect(rowsBeside({}, [half, half])).toHaveLength(2);
  expect(rowsBeside({ body: half }, [half, half])).toHaveLength(1);
});
