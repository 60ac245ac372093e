import type { listHeads } from '@tollgate/contracts/audit/rpc';
import { decodeCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';

const DEFAULT_PAGE_SIZE = 25;

/** A page of tree heads, newest first. The cursors contain numbers, because tree heads have no ids of their own. */
export async function listHeadPage(
  { heads }: Context,
  teamId: string,
  { limit = DEFAULT_PAGE_SIZE, cursor }: Static<typeof listHeads.request>,
): Promise<Static<typeof listHeads.reply>> {
  const range = cursor === undefined ? {} : parseCursor(cursor);
  const found = await heads.list(teamId, { ...range, limit: limit + 1 });
  const isMore = found.length > limit;
  const isBackwards = range.above !== undefined;
  const data = isBackwards ? found.slice(-limit) : found.slice(0, limit);
  const [first, last] = [data[0], data.at(-1)];
  const hasNewer = isBackwards ? isMore : range.below !== undefined;
  const hasOlder = isBackwards || isMore;
  return {
    data,
    next_cursor: last && hasOlder ? encodeCursor(`below:${last.number}`) : null,
    previous_cursor: first && hasNewer ? encodeCursor(`above:${first.number}`) : null,
  };
}

function parseCursor(text: string): { below?: number; above?: number } {
  const match = /^(below|above):(\d{1,15})$/.exec(decodeCursor(text));
  if (match) return { [match[1] as string]: Number(match[2]) };
  throw invalidCursor();
}
