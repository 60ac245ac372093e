import { isId } from '@tollgate/contracts/ids';
import { decodeJsonCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import { type Place, rightBehind } from './history-place.ts';

/**
 * Where a page starts: at a cut between two payments, beside the one that is named, towards older or newer ones. What is older
 * than a cut and what is newer are all there is, so that a page gone back to is the page that was left.
 */
export interface PageCursor {
  direction: 'older' | 'newer';
  beside: Place;
  /** On which side of the payment the cut is. */
  side: 'older' | 'newer';
}

/** The place that the cut lies at: what is newer starts there, what is older ends before it. */
export function cutOf({ beside, side }: PageCursor): Place {
  return side === 'older' ? beside : rightBehind(beside);
}

/** `digest` is that of the filters that the page was made with. */
export function encodePageCursor({ direction, beside, side }: PageCursor, digest: string): string {
  return encodeCursor(JSON.stringify([direction, side, beside.createdAt.getTime(), beside.id, digest]));
}

/** @throws Problem `invalid-request` for a cursor that no page has given, or a page of other filters */
export function decodePageCursor(text: string, digest: string): PageCursor {
  const content = decodeJsonCursor(text);
  const [direction, side, createdAtMs, id, filterDigest]: unknown[] = Array.isArray(content) ? content : [];
  const createdAt = new Date(Number(createdAtMs));
  if (
    !isSide(direction) ||
    !isSide(side) ||
    createdAt.getTime() !== createdAtMs ||
    typeof id !== 'string' ||
    !isId('payment', id)
  ) {
    throw invalidCursor();
  }
  if (filterDigest !== digest) {
    throw invalidCursor('The cursor belongs to a list with other filters. Start this list without a cursor.');
  }
  return { direction, side, beside: { createdAt, id } };
}

function isSide(value: unknown): value is 'older' | 'newer' {
  return value === 'older' || value === 'newer';
}
