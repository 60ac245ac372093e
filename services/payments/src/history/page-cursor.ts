import { isId } from '@tollgate/contracts/platform/ids';
import { decodeJsonCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import { type Place, rightBehind } from './history-place.ts';

/**
 * Where a page starts: at a cut beside the named payment, towards older or newer payments. Every payment is either
 * older or newer than a cut, so going back returns the same page.
 */
export interface PageCursor {
  direction: 'older' | 'newer';
  beside: Place;
  /** The side of the payment that the cut is on. */
  side: 'older' | 'newer';
}

/** The place of the cut: newer payments start there, older ones end before it. */
export function cutOf({ beside, side }: PageCursor): Place {
  return side === 'older' ? beside : rightBehind(beside);
}

/** `digest` is the digest of the page's filters. */
export function encodePageCursor({ direction, beside, side }: PageCursor, digest: string): string {
  return encodeCursor(JSON.stringify([direction, side, beside.at.getTime(), beside.id, digest]));
}

/** @throws Problem `invalid-request` for a cursor that no page returned, or that belongs to other filters */
export function decodePageCursor(text: string, digest: string): PageCursor {
  const content = decodeJsonCursor(text);
  const [direction, side, atMs, id, filterDigest]: unknown[] = Array.isArray(content) ? content : [];
  const at = new Date(Number(atMs));
  if (
    !isSide(direction) ||
    !isSide(side) ||
    at.getTime() !== atMs ||
    typeof id !== 'string' ||
    !isId('payment', id)
  ) {
    throw invalidCursor();
  }
  if (filterDigest !== digest) {
    throw invalidCursor('The cursor belongs to a list with other filters. Start this list without a cursor.');
  }
  return { direction, side, beside: { at, id } };
}

function isSide(value: unknown): value is 'older' | 'newer' {
  return value === 'older' || value === 'newer';
}
